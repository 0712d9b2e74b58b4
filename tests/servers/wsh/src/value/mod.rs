//! Argument types that check themselves: what the schema promises, deserialization enforces.

mod color;
mod name;
mod text;
mod whole;

pub(crate) use color::Color;
pub(crate) use name::Name;
pub(crate) use text::Text;
pub(crate) use whole::Whole;
