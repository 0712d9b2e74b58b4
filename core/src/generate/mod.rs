//! Values from schemas: random valid ones, named edges, invalid ones with one named fault, and simpler ones for shrinking.
//!
//! Whatever comes out of here has been checked by the compiled schema. Everything is deterministic, given the seed.

mod array;
mod bias;
mod boundary;
mod content;
mod cost;
mod draw;
mod fault;
mod fixed;
mod format;
mod maker;
mod naughty;
mod negative;
mod number;
mod object;
mod object_fault;
mod pattern;
mod place;
mod positive;
mod simplify;
mod text;

pub use bias::{Bias, Offer, Provider};
pub use boundary::{Boundary, boundaries};
pub use cost::{Cost, cost};
pub use draw::Draw;
pub use fixed::{examples, maximal, minimal};
pub(crate) use negative::least_negative;
pub use negative::{Mutated, negative, negatives};
pub use positive::{Positive, Tag, Taken, positive, positive_traced};
pub use simplify::simplify;
