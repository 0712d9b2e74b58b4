//! Lints that judge the transport: pipes, HTTP, SSE, authorization.

crate::lints::registry::lints! {}
