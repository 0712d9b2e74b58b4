//! The bug bench: testers of MCP servers run over servers with known faults, and over servers without any.

pub mod catalogue;
pub mod endpoint;
pub mod external;
pub mod options;
pub mod prepare;
pub mod report;
pub mod row;
pub mod run;
pub mod subject;
pub mod summary;
pub mod tester;
pub mod tooltest;
