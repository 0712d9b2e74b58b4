//! Tells the linker that Node's functions come from the process that loads the addon.

fn main() {
    napi_build::setup();
}
