//! Lints that judge the handshake and the lists; they look and do not call.

crate::lints::registry::lints! {
    max_tools
}
