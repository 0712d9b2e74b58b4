//! Lints that judge the handshake and the lists; they look and do not call.

mod item;
mod tool_schema;

crate::lints::registry::lints! {
    json_schema_dialect_compat
    json_schema_keyword_compat
    max_tools
    output_schema_compile
    tool_annotations_contradiction
    tool_annotations_missing
    tool_annotations_shape
    tool_description_present
    tool_execution_stale
    tool_execution_valid
    tool_input_schema_object
    tool_input_schema_valid
    tool_name_case_collision
    tool_name_format
    tool_name_length
    tool_name_unique
    tool_output_schema_object
    tool_output_schema_valid
    tool_param_described
    tool_schema_bounded
    tool_schema_default_valid
    tool_schema_int_bounds
    tool_schema_no_params_form
    tool_schema_pattern_valid
    tool_schema_property_objects
    tool_schema_ref_resolvable
    tool_schema_remote_ref
    tool_schema_required_defined
    tool_schema_root_composition
    tool_schema_unknown_format
    tool_shape
}
