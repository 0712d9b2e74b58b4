//! What threads of a run tell the JavaScript thread.

use napi::Status;
use napi::bindgen_prelude::{FnArgs, Function};
use napi::threadsafe_function::{ThreadsafeFunction, ThreadsafeFunctionCallMode};
use serde_json::json;
use std::sync::Arc;

/// The wrapper's function: `(kind, session, text)`.
pub(crate) type Callback<'env> = Function<'env, Arguments, ()>;

/// What the wrapper's function is called with.
type Arguments = FnArgs<(String, u32, String)>;

/// Something that happened on a thread of a run.
pub(crate) enum Notice {
    /// An event, as JSON text.
    Event(String),
    /// The run is over; the result as JSON text.
    Done(String),
    /// The run is over without a result.
    Failed(tooltest_core::Error),
    /// A session with a fresh in-process server is wanted.
    Open(u32),
    /// Messages for an in-process server, separated by line feeds.
    Messages(u32, String),
    /// The input of an in-process server has ended.
    Close(u32),
}

impl Notice {
    fn arguments(self) -> Arguments {
        let (kind, session, text) = match self {
            Self::Event(text) => ("event", 0, text),
            Self::Done(text) => ("done", 0, text),
            Self::Failed(error) => {
                let error = json!({"code": error.kind(), "message": error.to_string()});
                ("failed", 0, error.to_string())
            }
            Self::Open(session) => ("open", session, String::new()),
            Self::Messages(session, text) => ("messages", session, text),
            Self::Close(session) => ("close", session, String::new()),
        };
        (kind.to_owned(), session, text).into()
    }
}

/// Calls the wrapper's function on its thread; keeps the process alive while it is held.
#[derive(Clone)]
pub(crate) struct Tell(Arc<ThreadsafeFunction<Notice, (), Arguments, Status, false>>);

impl Tell {
    /// Notices for `callback`, which must not throw.
    pub(crate) fn new(callback: &Callback<'_>) -> napi::Result<Self> {
        let function = callback
            .build_threadsafe_function::<Notice>()
            .build_callback(|context| Ok(context.value.arguments()))?;
        Ok(Self(Arc::new(function)))
    }

    /// Queues a notice; they arrive in order. Nobody is left to tell where JavaScript has ended.
    pub(crate) fn tell(&self, notice: Notice) {
        let _ = self.0.call(notice, ThreadsafeFunctionCallMode::NonBlocking);
    }
}
