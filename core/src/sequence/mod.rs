//! Sequences: which tool is called next, with which arguments, and what is learned from the answer.

pub mod choose;
pub mod corpus;
pub(crate) mod exemplar;
pub mod feedback;
pub mod intent;
pub mod links;
pub(crate) mod live;
pub(crate) mod mind;
pub mod mine;
pub(crate) mod paging;
pub mod seeds;
pub mod template;
pub mod tokens;
