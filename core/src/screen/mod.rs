//! Screening: many calls at little cost, where the stateful sequences have nothing left to learn.
//!
//! On a server that shows no state, and once all that is planned of its tools was tried, most calls are made on long sessions: their
//! arguments are put together from values that calls were accepted with and from fresh numbers and words, and their answers are only
//! looked at for being like answers that were judged before. Every answer that is not goes the ordinary way: it is judged, and what is
//! wrong with it is confirmed and shrunk like any other fault. A short sequence of the ordinary kind comes between two such sessions.

mod answer;
mod doubt;
mod fresh;
mod history;
mod lane;
mod pool;
mod ride;
mod skeleton;
mod still;

pub(crate) use lane::Lane;
pub(crate) use ride::screen;
