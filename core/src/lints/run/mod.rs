//! Lints that judge the finished record of a run.

crate::lints::registry::lints! {
    coverage
    error_as_success
    tool_uncallable
}
