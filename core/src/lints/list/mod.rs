//! Lints that judge the handshake and the lists; they look and do not call.

mod item;
mod tool_schema;

crate::lints::registry::lints! {
    max_tools
    tool_annotations_contradiction
    tool_annotations_missing
    tool_annotations_shape
    tool_description_present
    tool_execution_stale
    tool_execution_valid
    tool_input_schema_object
    tool_name_case_collision
    tool_name_format
    tool_name_length
    tool_name_unique
    tool_output_schema_object
    tool_shape
}
