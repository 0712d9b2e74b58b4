//! The sessions of the server, by name.

use std::collections::BTreeMap;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use super::live::Session;
use crate::failure::Failure;

/// All sessions. Names are unique at every moment.
#[derive(Default)]
pub(crate) struct Registry {
    sessions: Mutex<BTreeMap<String, Arc<Session>>>,
    /// Held while a session is made, so that two callers cannot take one name.
    making: tokio::sync::Mutex<u64>,
}

impl Registry {
    /// The session with this name.
    pub(crate) fn find(&self, name: &str) -> Result<Arc<Session>, Failure> {
        self.lock().get(name).cloned().ok_or_else(|| Failure::UnknownSession(name.to_owned()))
    }

    /// All sessions in the order of their names.
    pub(crate) fn all(&self) -> Vec<(String, Arc<Session>)> {
        self.lock().iter().map(|(name, session)| (name.clone(), Arc::clone(session))).collect()
    }

    /// Adds the session that `make` starts, under `name` or a name of our own. Returns the name.
    pub(crate) async fn add<F>(
        &self,
        name: Option<String>,
        most: usize,
        make: F,
    ) -> Result<String, Failure>
    where
        F: AsyncFnOnce() -> Result<Session, Failure>,
    {
        let mut count = self.making.lock().await;
        if self.lock().len() >= most {
            return Err(Failure::Conflict(format!(
                "there are {most} sessions already, kill one first"
            )));
        }
        let name = match name {
            Some(name) => self.free(name)?,
            None => self.fresh_name(&mut count),
        };
        let session = Arc::new(make().await?);
        self.put(&name, session);
        Ok(name)
    }

    /// Gives a session another name.
    pub(crate) async fn rename(&self, old: &str, new: &str) -> Result<(), Failure> {
        let _making = self.making.lock().await;
        let session = self.find(old)?;
        if old != new {
            self.free(new.to_owned())?;
            let mut sessions = self.lock();
            sessions.insert(new.to_owned(), session);
            sessions.remove(old);
        }
        Ok(())
    }

    /// Takes a session out. Its program still runs.
    pub(crate) fn take(&self, name: &str) -> Result<Arc<Session>, Failure> {
        self.lock().remove(name).ok_or_else(|| Failure::UnknownSession(name.to_owned()))
    }

    /// Ends all sessions, for the server's end.
    pub(crate) async fn end(&self) {
        let sessions = std::mem::take(&mut *self.lock());
        let mut kills = tokio::task::JoinSet::new();
        for session in sessions.into_values() {
            kills.spawn(async move { session.pty().kill().await });
        }
        kills.join_all().await;
    }

    /// Enters a session under a name, whatever was there before.
    pub(crate) fn put(&self, name: &str, session: Arc<Session>) {
        self.lock().insert(name.to_owned(), session);
    }

    fn free(&self, name: String) -> Result<String, Failure> {
        if self.lock().contains_key(&name) {
            return Err(Failure::Conflict(format!("a session named {name:?} exists already")));
        }
        Ok(name)
    }

    fn fresh_name(&self, count: &mut u64) -> String {
        let sessions = self.lock();
        loop {
            *count += 1;
            let name = format!("s{count}");
            if !sessions.contains_key(&name) {
                return name;
            }
        }
    }

    fn lock(&self) -> MutexGuard<'_, BTreeMap<String, Arc<Session>>> {
        self.sessions.lock().unwrap_or_else(PoisonError::into_inner)
    }
}
