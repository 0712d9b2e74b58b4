//! A pseudo terminal with a program in it, and the screen that program draws.

mod emulator;
mod lines;
mod pty;

pub(crate) use emulator::{Emulator, Screen};
pub(crate) use lines::{Format, Line};
pub(crate) use pty::{Launch, Pty};
