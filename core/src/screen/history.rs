//! What was sent on a session, as bytes: enough to send it again.

/// Bytes of arguments that are kept.
const MOST: usize = 4 << 20;

/// The calls of a session so far.
#[derive(Debug, Default)]
pub(super) struct History {
    arguments: Vec<u8>,
    /// For each call: the tool's position in the catalog, and where its arguments end.
    calls: Vec<(usize, usize)>,
}

impl History {
    /// Forgets all calls; their room stays for those of the next session.
    pub(super) fn clear(&mut self) {
        self.arguments.clear();
        self.calls.clear();
    }

    /// Adds a call whose arguments `write` appends; returns its number and what that returned.
    pub(super) fn add<T>(
        &mut self,
        tool: usize,
        write: impl FnOnce(&mut Vec<u8>) -> T,
    ) -> (usize, T) {
        let value = write(&mut self.arguments);
        self.calls.push((tool, self.arguments.len()));
        (self.calls.len() - 1, value)
    }

    /// Tool and arguments of a call.
    pub(super) fn call(&self, number: usize) -> (usize, &[u8]) {
        let from = number.checked_sub(1).map_or(0, |before| self.calls[before].1);
        let (tool, end) = self.calls[number];
        (tool, &self.arguments[from..end])
    }

    /// Whether no more is kept, so that the session is to end.
    pub(super) fn is_full(&self) -> bool {
        self.arguments.len() > MOST
    }

    pub(super) fn len(&self) -> usize {
        self.calls.len()
    }
}
