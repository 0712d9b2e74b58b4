//! Lints that judge the transport: pipes, HTTP, SSE, authorization.

crate::lints::registry::lints! {
    http_5xx
    http_get_sse_or_405
    http_malformed_body_400
    http_origin_rejected_403
    http_post_content_type
    http_protocol_version_invalid_400
    http_session_id_ascii
    stdio_crlf_bom
    stdio_exits_on_stdin_close
    stdio_framing
    stdio_no_unsolicited
    stdio_stdout_clean
    stdio_survives_chunking
}
