//! How a session is opened and how one request is sent.

use super::answer;
use crate::protocol::Revision;
use crate::transport::{CancelToken, Connector, ShutdownPatience};
use serde_json::{Value, json};
use std::fmt;
use std::sync::Arc;
use std::time::Duration;

/// Makes the `content` that answers an elicitation, from its `requestedSchema`.
pub type Elicit = Arc<dyn Fn(&Value) -> Value + Send + Sync>;

/// Which revision to speak.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Protocol {
    /// Find out which era the server speaks, and offer its newest revision.
    #[default]
    Auto,
    /// Offer this one.
    Fixed(Revision),
}

impl Protocol {
    /// `auto` or a revision's date.
    pub fn parse(text: &str) -> Option<Self> {
        match text {
            "auto" => Some(Self::Auto),
            date => Revision::parse(date).map(Self::Fixed),
        }
    }
}

/// How a session is opened and held.
#[derive(Clone)]
pub struct SessionOptions {
    /// Which revision to speak.
    pub protocol: Protocol,
    /// How long a request may go without an answer or progress.
    pub request_timeout: Duration,
    /// How long a request may take in all, however much progress it reports.
    pub hard_timeout: Duration,
    /// How long the server may take to start and to answer its first request.
    pub startup_timeout: Duration,
    /// The longest frame that is kept, in bytes; longer ones are cut.
    pub frame_cap: usize,
    /// Environment variables on top of the target's own (stdio).
    pub extra_env: Vec<(String, String)>,
    /// The `clientInfo` member.
    pub client_info: Value,
    /// What the tester says it can do.
    pub client_capabilities: Value,
    /// The URIs that `roots/list` answers with. None by default: a server may take a root as leave to work there.
    pub roots: Vec<String>,
    /// Answers elicitations; the default takes the schema's defaults and the simplest values.
    pub elicit: Elicit,
    /// Starts in-process servers.
    pub connector: Option<Arc<dyn Connector>>,
    /// Ends every wait when set.
    pub cancel: CancelToken,
    /// Send a progress token with each `tools/call`, so that a slow tool can say that it is at work.
    pub progress: bool,
    /// Open the stand-alone stream of Streamable HTTP, where the revision has it.
    pub listen: bool,
    /// How long each rung of the shutdown waits (stdio).
    pub shutdown: ShutdownPatience,
}

impl Default for SessionOptions {
    fn default() -> Self {
        Self {
            protocol: Protocol::Auto,
            request_timeout: Duration::from_secs(10),
            hard_timeout: Duration::from_secs(30),
            startup_timeout: Duration::from_secs(30),
            frame_cap: 16 * 1024 * 1024,
            extra_env: Vec::new(),
            client_info: json!({"name": "tooltest", "version": env!("CARGO_PKG_VERSION")}),
            client_capabilities: json!({"roots": {}, "sampling": {}, "elicitation": {"form": {}, "url": {}}}),
            roots: Vec::new(),
            elicit: Arc::new(answer::simplest_content),
            connector: None,
            cancel: CancelToken::new(),
            progress: false,
            listen: true,
            shutdown: ShutdownPatience::default(),
        }
    }
}

impl fmt::Debug for SessionOptions {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("SessionOptions")
            .field("protocol", &self.protocol)
            .field("request_timeout", &self.request_timeout)
            .field("hard_timeout", &self.hard_timeout)
            .field("startup_timeout", &self.startup_timeout)
            .field("frame_cap", &self.frame_cap)
            .field("client_capabilities", &self.client_capabilities)
            .finish_non_exhaustive()
    }
}

/// How one request differs from an ordinary one.
#[derive(Debug, Clone, Default)]
pub struct RequestOptions {
    /// The id, any JSON value; `None` takes the next number.
    pub id: Option<Value>,
    /// What becomes of `params._meta`.
    pub meta: MetaOption,
    /// What becomes of the HTTP headers.
    pub headers: HeaderOption,
    /// The progress token to send.
    pub progress_token: Option<Value>,
    /// Overrides the session's request timeout.
    pub timeout: Option<Duration>,
    /// Take an `input_required` result as it is instead of answering its questions.
    pub unanswered: bool,
}

/// What becomes of `params._meta`.
#[derive(Debug, Clone, Default, PartialEq)]
pub enum MetaOption {
    /// What the revision demands.
    #[default]
    Full,
    /// Nothing is added.
    Omit,
    /// What the revision demands, with these members set, or taken out where the value is null.
    Patch(Value),
}

/// What becomes of the HTTP headers.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub enum HeaderOption {
    /// What the revision demands.
    #[default]
    Auto,
    /// What the revision demands, with these headers set, or left out where there is no value.
    Patch(Vec<(String, Option<String>)>),
}
