//! The `tooltest` command.
fn main() {}
