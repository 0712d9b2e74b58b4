//! Lints that send probes of their own within a session.

crate::lints::registry::lints! {}
