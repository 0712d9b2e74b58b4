//! The options of the bench.

use super::catalogue::ServerName;
use std::path::PathBuf;

/// Runs tooltest over the reference servers, clean and with each seeded bug, and says what it found.
#[derive(Debug, Clone, clap::Parser)]
#[command(name = "bench", version)]
pub struct Options {
    /// Only these servers.
    #[arg(long, value_enum)]
    pub server: Vec<ServerName>,
    /// Only these bugs, decoys, or `clean` for the servers without any.
    #[arg(long, num_args = 1.., value_name = "ID")]
    pub bug: Vec<String>,
    /// Only clean servers and decoys.
    #[arg(long)]
    pub clean_only: bool,
    /// Only every Nth bug of each catalogue, for a quick look.
    #[arg(long, value_name = "N", default_value_t = 1, value_parser = clap::value_parser!(u32).range(1..))]
    pub every: u32,
    /// Calls in each run.
    #[arg(long, default_value_t = 1000)]
    pub calls: u64,
    /// Runs of each, with the seeds 1, 2, …
    #[arg(long, default_value_t = 1)]
    pub seeds: u64,
    /// Seconds for each run.
    #[arg(long, default_value_t = 60.0, value_name = "SECONDS")]
    pub time: f64,
    /// Runs side by side.
    #[arg(long, default_value_t = 1)]
    pub jobs: usize,
    /// Writes every row and the totals to a file.
    #[arg(long, value_name = "FILE")]
    pub json: Option<PathBuf>,
    /// Writes the table to a file.
    #[arg(long, value_name = "FILE")]
    pub markdown: Option<PathBuf>,
    /// Writes the whole result of each run into a folder.
    #[arg(long, value_name = "FOLDER")]
    pub results: Option<PathBuf>,
    /// Keeps every call of each run in its result.
    #[arg(long, requires = "results")]
    pub trace: bool,
    /// A Python that has what crud needs; made when absent.
    #[arg(long, value_name = "PROGRAM")]
    pub python: Option<PathBuf>,
    /// The built iteratr-tools (its `dist` folder); built when absent.
    #[arg(long, value_name = "FOLDER")]
    pub node_dist: Option<PathBuf>,
    /// The built wsh; built when absent.
    #[arg(long, value_name = "PROGRAM")]
    pub wsh: Option<PathBuf>,
    /// Another tester instead of tooltest: its command line, run by `sh`. `{command}` stands for the server's command line,
    /// `{url}` for its URL, `{seed}`, `{calls}` and `{seconds}` for the budget. Exit status 0 means that nothing was found.
    #[arg(long, value_name = "TEMPLATE")]
    pub tester: Option<String>,
    /// Exits with status 1 unless the gates hold: 90 % triggered, 85 % detected, 95 % reproduced, ratios 1.0 and 1.5, no false errors.
    #[arg(long)]
    pub gates: bool,
}

impl Options {
    /// The servers to run.
    pub fn servers(&self) -> Vec<ServerName> {
        let all = ServerName::ALL.into_iter();
        all.filter(|name| self.server.is_empty() || self.server.contains(name)).collect()
    }

    /// Whether a bug, a decoy or `clean` is wanted.
    pub fn wants(&self, id: &str) -> bool {
        self.bug.is_empty() || self.bug.iter().any(|wanted| wanted == id)
    }
}
