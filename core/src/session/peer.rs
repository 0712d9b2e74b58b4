//! Another client of the same server, beside a session.

use super::{Protocol, Session, SessionOptions};
use crate::input::Target;

impl Session {
    /// Starts or connects to `target` and opens a session with it. With [`Protocol::Auto`] the era is found out first.
    ///
    /// # Errors
    /// Where the server does not start, cannot be reached, or does not open a session.
    pub fn open(
        target: &Target,
        options: &SessionOptions,
    ) -> Result<Self, crate::transport::OpenError> {
        let mut session = Self::open_alone(target, options)?;
        session.target = session.is_http().then(|| Box::new(target.clone()));
        Ok(session)
    }

    /// The session of another client of the same server, opened when it is first wanted. None where each session has a server
    /// of its own, or where the server takes no other client.
    pub(crate) fn peer(&mut self) -> Option<&mut Self> {
        if self.peer.is_none() {
            let target = self.target.as_deref()?;
            let options =
                SessionOptions { protocol: Protocol::Fixed(self.revision), ..self.options.clone() };
            let mut peer = Self::open_alone(target, &options).ok()?;
            self.share_param_headers(&mut peer);
            self.peer = Some(Box::new(peer));
        }
        self.peer.as_deref_mut().filter(|peer| peer.is_open())
    }
}
