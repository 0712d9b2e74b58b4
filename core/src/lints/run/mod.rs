//! Lints that judge the finished record of a run.

mod logs;
mod rejects;

crate::lints::registry::lints! {
    call_rejects_additional
    call_rejects_enum_bounds
    call_rejects_missing_required
    call_rejects_wrong_type
    coverage
    error_as_success
    latency_growth
    memory_growth
    tool_uncallable
}
