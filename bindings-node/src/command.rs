//! The `tooltest` command. JavaScript owns the signals: Node's own handler and one of ours would call each other for ever.

use crate::failure::{self, Result};
use napi::bindgen_prelude::Function;
use napi::threadsafe_function::ThreadsafeFunctionCallMode;
use napi_derive::napi;
use std::io::Write as _;
use tooltest_core::session::CancelToken;

/// A command line that is being carried out.
#[napi]
pub struct Command {
    cancel: CancelToken,
}

#[napi]
impl Command {
    /// Starts a command line, program name first; `done(code)` gets its exit code.
    #[napi(constructor)]
    pub fn new(args: Vec<String>, done: Function<'_, u32, ()>) -> Result<Self> {
        let done = done.build_threadsafe_function::<u32>().build_callback(|code| Ok(code.value));
        let done = done.map_err(|error| failure::bug(error.to_string()))?;
        let cancel = CancelToken::new();
        let token = cancel.clone();
        let work = move || {
            let code = tooltest::run(args, token);
            // Nobody else flushes Rust's buffer in a process that is not ours.
            let _ = std::io::stdout().flush();
            done.call(u32::from(code), ThreadsafeFunctionCallMode::NonBlocking);
        };
        let started = std::thread::Builder::new().name("tooltest".to_owned()).spawn(work);
        started.map_err(|error| failure::bug(format!("no thread could be started: {error}")))?;
        Ok(Self { cancel })
    }

    /// Ends it early, with its result so far.
    #[napi]
    pub fn cancel(&self) {
        self.cancel.cancel();
    }
}

/// Kills every running server. For a process that is about to end at once.
#[napi]
pub fn kill_all() {
    tooltest_core::transport::kill_all();
}
