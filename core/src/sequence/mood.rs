//! How adventurous a call is.

use crate::generate::Draw;

/// How adventurous a call is.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Mood {
    /// Everything from the schema.
    Random,
    /// One parameter is tried with another source than the best.
    ExploreOne(usize),
    /// The best sources.
    Exploit,
}

impl Mood {
    /// 8 % random, 35 % one parameter explored, else the best (engine study, section 4.4). A call that needs something that
    /// exists (`points`) is refused when made at random, so that little is learned of it.
    pub fn draw(draw: &mut Draw, parameters: usize, points: bool) -> Self {
        match draw.index(100) {
            0..8 if !points => Self::Random,
            0..2 => Self::Random,
            8..43 if parameters > 0 => Self::ExploreOne(draw.index(parameters)),
            _ => Self::Exploit,
        }
    }
}
