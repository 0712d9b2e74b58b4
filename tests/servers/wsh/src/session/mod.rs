//! Sessions: a program in a terminal, with the drawing layers that agents put over it.

mod compose;
mod elements;
mod live;
mod registry;

pub(crate) use elements::{ElementId, Elements, Kind, Layer, Overlay, Panel, Position, Span};
pub(crate) use live::Session;
pub(crate) use registry::Registry;
