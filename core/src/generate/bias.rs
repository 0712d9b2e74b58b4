//! What random values lean towards.

use serde_json::Value;

use super::Draw;
use crate::schema::Parameter;

/// What random values lean towards. The default gives mostly plausible values.
pub struct Bias<'a> {
    /// Probability of each optional property: 0, 0.5 and 1 are the useful ones.
    pub optional: f64,
    /// Typical number of elements of arrays and maps.
    pub size: usize,
    /// Probability that a scalar is at an edge of its range.
    pub edges: f64,
    /// Probability that a free string is one that careless code mishandles.
    pub naughty: f64,
    /// Probability that a parameter takes one of its hints.
    pub hints: f64,
    /// Probability of an undeclared property where any is allowed beside declared ones.
    pub extra: f64,
    /// Who offers values, for example from earlier results.
    pub provider: Option<&'a dyn Provider>,
}

impl Default for Bias<'_> {
    fn default() -> Self {
        Self {
            optional: 0.5,
            size: 3,
            edges: 0.12,
            naughty: 0.06,
            hints: 0.35,
            extra: 0.02,
            provider: None,
        }
    }
}

impl std::fmt::Debug for Bias<'_> {
    fn fmt(&self, formatter: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        formatter
            .debug_struct("Bias")
            .field("optional", &self.optional)
            .field("size", &self.size)
            .field("edges", &self.edges)
            .field("naughty", &self.naughty)
            .field("hints", &self.hints)
            .field("extra", &self.extra)
            .field("provider", &self.provider.is_some())
            .finish()
    }
}

/// Offers values for parameters before the schema is sampled.
pub trait Provider {
    /// A value for the parameter at `pointer` (a JSON Pointer into the arguments, with real indices), or `None` to let
    /// the schema be sampled. An offer that the parameter's schema does not accept is passed over.
    fn offer(&self, pointer: &str, parameter: &Parameter, draw: &mut Draw) -> Option<Offer>;

    /// Whether an optional parameter should be present; `None` leaves it to [`Bias::optional`].
    fn presence(&self, _pointer: &str, _parameter: &Parameter) -> Option<bool> {
        None
    }
}

/// An offered value.
#[derive(Debug, Clone, PartialEq)]
pub struct Offer {
    /// The value.
    pub value: Value,
    /// The provider's own number for where the value is from; handed back in [`super::Taken`].
    pub source: u64,
}
