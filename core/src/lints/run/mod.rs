//! Lints that judge the finished record of a run.

crate::lints::registry::lints! {
    error_as_success
}
