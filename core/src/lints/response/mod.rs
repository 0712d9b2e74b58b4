//! Lints that judge one exchange at a time.

crate::lints::registry::lints! {
    no_crash
}
