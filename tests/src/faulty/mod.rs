//! Raw faulty servers: a clean server without any SDK, and files that each put one fault into it.

pub mod fault;
pub mod server;
