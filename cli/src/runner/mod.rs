//! The guarded runner: runs the scripts that a policy names, for models whose sandbox cannot start the server they edit.
//!
//! [`policy`] says yes or no, [`execute`] runs, [`audit`] records; the rest are ways in.

mod arguments;
mod audit;
mod environment;
mod error;
mod execute;
mod group;
mod lines;
mod policy;
mod service;
mod settings;
