//! Sessions: ids, pending requests, deadlines, the opening of both eras, and the answers that servers ask for.

mod answer;
mod encode;
mod headers;
mod http;
mod open;
mod options;
mod peer;
mod screen;
mod settle;
mod stateful;
mod stateless;
mod waiting;
mod wire;

pub(crate) use headers::standard as standard_headers;
pub use headers::{ParamHeader, encode_header_value};
pub use open::ServerIdentity;
pub use options::{Elicit, HeaderOption, MetaOption, Protocol, RequestOptions, SessionOptions};
pub(crate) use screen::{RequestParts, Sent};
pub use wire::{Received, Session};

pub use crate::transport::{CancelToken, Closing, Connector, OpenError, RawRequest};
