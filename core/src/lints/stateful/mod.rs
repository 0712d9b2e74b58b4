//! Lints that judge a whole case: what calls do to each other.

mod applied;
mod echoes;
mod ghosts;
mod lists;
mod observed;
mod records;
mod renames;
mod texts;

crate::lints::registry::lints! {
    created_not_found
    default_not_applied
    duplicate_id_issued
    failed_call_changed_state
    get_after_delete
    idempotent_tool_not_idempotent
    list_changed_silently
    list_disagrees
    paging_inconsistent
    parallel_calls_differ
    poison_value
    read_only_tool_changes_state
    session_state_leak
    update_not_reflected
    wrong_parent_accepted
}
