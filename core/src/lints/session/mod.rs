//! Lints that send probes of their own within a session.

crate::lints::registry::lints! {
    batch_rejected
    batch_supported
    cancel_unknown_ignored
    capability_extension_id
    capability_implies_method
    capability_shape
    concurrent_requests_answered
    init_missing_fields_rejected
    init_result_shape
    init_unknown_client_capability_ok
    init_unknown_version_counter
    init_version_echo
    init_version_not_modern
    init_version_published
    invalid_request_handled
    log_level_threshold
    logging_invalid_level
    logging_set_level
    malformed_json_handled
    meta_unknown_keys_tolerated
    method_implies_capability
    notification_no_response
    ping_answered
    pre_init_request_safe
    response_id_echo
    server_requests_before_initialized
    server_survives_negative
    undeclared_capability_method
    unknown_method_code
    unknown_notification_tolerated
}
