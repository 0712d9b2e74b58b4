//! Reference servers, faulty servers and whole-product tests of tooltest.

pub mod bench;
pub mod faulty;
pub mod languages;
pub mod quiet;
pub mod served;
pub mod times;
