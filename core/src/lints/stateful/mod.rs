//! Lints that judge a whole case: what calls do to each other.

crate::lints::registry::lints! {}
