//! Sequences: which tool is called next, with which arguments, and what is learned from the answer.

pub(crate) mod advice;
mod checks;
pub mod choose;
mod compare;
pub mod corpus;
mod drill;
mod edges;
mod elsewhere;
pub(crate) mod exemplar;
pub mod feedback;
pub(crate) mod folders;
pub mod intent;
mod learn;
pub mod links;
pub(crate) mod live;
pub(crate) mod mind;
pub mod mine;
pub mod mood;
pub(crate) mod openers;
pub(crate) mod paging;
mod producers;
pub mod seeds;
mod shapes;
pub mod template;
pub mod tokens;
mod told;
mod weights;
