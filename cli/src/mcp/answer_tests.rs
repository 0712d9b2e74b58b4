//! Results of all sizes become answers that fit and that the output schema allows.

use super::*;
