//! The native half of the npm package `tooltest`. JSON text crosses the boundary in both directions; nothing is decided here.

mod command;
mod connector;
mod documents;
mod failure;
mod notice;
mod run;
