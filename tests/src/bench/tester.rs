//! Testers: whatever can be pointed at a server and says what is wrong with it.

use super::endpoint::Endpoint;
use super::subject::Subject;
use serde_json::Value;

/// What a run may spend.
#[derive(Debug, Clone, Copy)]
pub struct Budget {
    /// Calls.
    pub calls: u64,
    /// Seconds.
    pub seconds: f64,
    /// The seed.
    pub seed: u64,
}

/// A tester of MCP servers.
pub trait Tester: Send + Sync {
    /// How reports call it.
    fn name(&self) -> String;

    /// Tests a subject.
    ///
    /// # Errors
    /// A sentence, where the tester itself could not do its work.
    fn test(
        &self,
        subject: &Subject,
        endpoint: &Endpoint,
        budget: Budget,
    ) -> Result<Tested, String>;
}

/// What a tester said.
#[derive(Debug, Clone, Default)]
pub struct Tested {
    /// What it found wrong.
    pub reports: Vec<Report>,
    /// Calls that it made, where it says so.
    pub calls: Option<u64>,
    /// Its own result document.
    pub document: Value,
}

/// One thing that a tester found wrong.
#[derive(Debug, Clone, Default)]
pub struct Report {
    /// The lint; absent for testers that say nothing but "wrong".
    pub lint: Option<String>,
    /// Whether it counts as an error rather than a warning.
    pub error: bool,
    /// The tools that it names.
    pub tools: Vec<String>,
    /// What is wrong, in a sentence.
    pub message: String,
    /// Steps of the smallest case.
    pub steps: Option<usize>,
    /// Attempts on fresh sessions, and how many showed it again.
    pub reproduction: Option<(u32, u32)>,
    /// Calls until it was found.
    pub calls: Option<u64>,
    /// Seconds until it was found.
    pub seconds: Option<f64>,
}
