//! Lints that judge the handshake and the lists; they look and do not call.

mod item;
mod tool_schema;
mod uri;

crate::lints::registry::lints! {
    app_csp_origins
    app_resource_readable
    app_resource_uri_scheme
    deprecated_features_used
    instructions_present_text
    json_schema_dialect_compat
    json_schema_keyword_compat
    list_order_deterministic
    max_tools
    mcp_schema_min_version
    output_schema_compile
    pagination_cursor_empty
    pagination_cursor_stable
    pagination_cursor_type
    pagination_empty_page
    pagination_no_duplicates
    pagination_terminates
    prompt_description_present
    prompt_name_unique
    prompt_shape
    resource_https_scheme
    resource_shape
    resource_template_valid
    resource_uri_unique
    resource_uri_valid
    server_info_lint
    tool_annotations_contradiction
    tool_annotations_missing
    tool_annotations_shape
    tool_description_hidden_text
    tool_description_present
    tool_execution_stale
    tool_execution_valid
    tool_icons_valid
    tool_input_schema_object
    tool_input_schema_valid
    tool_meta_keys
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
    tool_schema_satisfiable
    tool_schema_unknown_format
    tool_shape
    tool_x_mcp_header_sensitive
    tool_x_mcp_header_valid
    tools_list_bytes
}
