//! The plan: input and configuration, checked once; the only thing the engine reads.

use crate::case::Phase;
use crate::catalog::Tool;
use crate::error::Error;
use crate::input::{Target, TooltestInput};
use crate::lints::Suite;
use crate::run::RunOptions;
use crate::schema::key_tokens;
use crate::session::{Protocol, SessionOptions};
use std::time::{Duration, Instant};

/// Characters of a list that is shown as a whole.
const SHORT: usize = 60;

/// What a run does.
pub struct Plan {
    /// The input as given.
    pub input: TooltestInput,
    /// The lints that run.
    pub suite: Suite,
    /// Where the lint configuration came from.
    pub config_source: String,
    /// How sessions are opened.
    pub session: SessionOptions,
    /// The seed of everything random.
    pub seed: u64,
    /// Which part of the run this is, from 0, and of how many.
    pub shard: (u64, u64),
    /// When the run began.
    pub started: Instant,
    /// How long the phases may take.
    pub time_limit: Duration,
    /// Whether only tools that say they are read-only may be called.
    pub read_only: bool,
}

impl Plan {
    /// Checks input and options against each other.
    ///
    /// # Errors
    /// [`Error::Input`] names the field and what is allowed; [`Error::Config`] is about the lint configuration.
    pub fn new(input: TooltestInput, options: &RunOptions) -> Result<Self, Error> {
        input.validate()?;
        let (suite, config_source) = options.suite(&input)?;
        let protocol = Protocol::parse(&input.protocol_version).ok_or_else(|| {
            Error::input(
                "protocol_version",
                "must be `auto` or the date of a published revision, for example `2025-11-25`",
            )
        })?;
        let request_timeout = Duration::from_secs_f64(input.request_timeout);
        let session = SessionOptions {
            protocol,
            request_timeout,
            // Progress may extend a call, but one call must not eat the run.
            hard_timeout: (request_timeout * 3)
                .min(Duration::from_secs_f64(input.time_limit / 5.0))
                .max(request_timeout),
            startup_timeout: Duration::from_secs_f64(input.startup_timeout),
            connector: options.connector.clone(),
            cancel: options.cancel.clone(),
            progress: true,
            ..SessionOptions::default()
        };
        let seed = input.seed.unwrap_or(options.random_seed);
        let shard = parse_shard(input.shard.as_deref())?;
        let time_limit = Duration::from_secs_f64(input.time_limit);
        let read_only =
            input.read_only.unwrap_or(!input.allow_destructive && is_remote(&input.target));
        Ok(Self {
            suite,
            config_source,
            session,
            seed,
            shard,
            started: Instant::now(),
            time_limit,
            read_only,
            input,
        })
    }

    /// How many calls this part of the run may make.
    pub fn max_calls(&self) -> u64 {
        self.input.max_calls.div_ceil(self.shard.1)
    }

    /// Whether `phase` is to run.
    pub fn has(&self, phase: Phase) -> bool {
        self.input.phases.is_empty() || self.input.phases.contains(&phase)
    }

    /// The time since the run began.
    pub fn elapsed(&self) -> Duration {
        self.started.elapsed()
    }

    /// Why a tool must not be called, if it must not.
    pub fn forbids(&self, tool: &Tool) -> Option<String> {
        let input = &self.input;
        let listed = |names: &[String]| {
            names.iter().any(|pattern| crate::glob::matches(pattern, &tool.name))
        };
        if listed(&input.tool_blocklist) {
            return Some("on the blocklist (--tool-blocklist)".to_owned());
        }
        let allowed = listed(&input.tool_allowlist);
        if !input.tool_allowlist.is_empty() && !allowed {
            // What is misspelt shows in the list, where it is short.
            let list = Some(input.tool_allowlist.join(",")).filter(|list| list.len() <= SHORT);
            let list = list.map_or(String::new(), |list| format!(" {list}"));
            return Some(format!("not on the allowlist (--tool-allowlist{list})"));
        }
        if self.read_only && !tool.hints.read_only {
            return Some("not annotated `readOnlyHint: true`, and this run is read-only (--allow-destructive lifts that)".to_owned());
        }
        if !allowed
            && !input.allow_destructive
            && !tool.hints.read_only
            && reaches_outside(&tool.name)
        {
            return Some("its name says that it runs or ends programs, or reaches the outside world (name it in --tool-allowlist, or give --allow-destructive)".to_owned());
        }
        None
    }
}

/// Whether a target is another machine.
fn is_remote(target: &Target) -> bool {
    let (Target::Http(http) | Target::Sse(http)) = target else {
        return false;
    };
    let Ok(url) = url::Url::parse(&http.url) else {
        return true;
    };
    !match url.host() {
        Some(url::Host::Domain(name)) => name == "localhost" || name.ends_with(".localhost"),
        Some(url::Host::Ipv4(address)) => address.is_loopback(),
        Some(url::Host::Ipv6(address)) => address.is_loopback(),
        None => false,
    }
}

/// Whether a name speaks of running commands, of ending processes, of sending messages or of spending money.
fn reaches_outside(name: &str) -> bool {
    const ALONE: &[&str] = &[
        "shell",
        "bash",
        "exec",
        "eval",
        "sudo",
        "powershell",
        "email",
        "mail",
        "sms",
        "tweet",
        "payment",
        "pay",
        "purchase",
        "publish",
        "deploy",
        "kill",
        "shutdown",
        "reboot",
    ];
    const RUN: &[&str] = &["run", "execute", "start", "spawn", "send", "write"];
    const WHAT: &[&str] =
        &["command", "code", "script", "process", "terminal", "message", "notification"];
    let tokens = key_tokens(name);
    let any = |words: &[&str]| tokens.iter().any(|token| words.contains(&token.as_str()));
    any(ALONE) || (any(RUN) && any(WHAT))
}

fn parse_shard(shard: Option<&str>) -> Result<(u64, u64), Error> {
    let Some(text) = shard else {
        return Ok((0, 1));
    };
    let parts = text
        .split_once('/')
        .and_then(|(i, n)| Some((i.parse::<u64>().ok()?, n.parse::<u64>().ok()?)));
    match parts {
        Some((i, n)) if i >= 1 && i <= n => Ok((i - 1, n)),
        _ => Err(Error::input(
            "shard",
            format!("must be I/N with 1 ≤ I ≤ N, for example 2/4, not `{text}`"),
        )),
    }
}

impl TooltestInput {
    /// Checks what the types do not say.
    ///
    /// # Errors
    /// [`Error::Input`] with the field and what is allowed.
    pub fn validate(&self) -> Result<(), Error> {
        let positive = |field: &str, value: f64| {
            let fits = value.is_finite() && value > 0.0 && value <= 1e7;
            fits.then_some(()).ok_or_else(|| {
                Error::input(field, format!("must be a number of seconds above 0, not {value}"))
            })
        };
        positive("time_limit", self.time_limit)?;
        positive("request_timeout", self.request_timeout)?;
        positive("startup_timeout", self.startup_timeout)?;
        if self.workers == 0 || self.workers > 256 {
            return Err(Error::input(
                "workers",
                format!("must be from 1 to 256, not {}", self.workers),
            ));
        }
        if self.in_flight == 0 || self.in_flight > 64 {
            return Err(Error::input(
                "in_flight",
                format!("must be from 1 to 64, not {}", self.in_flight),
            ));
        }
        if self.min_sequence_len == 0 || self.min_sequence_len > self.max_sequence_len {
            return Err(Error::input(
                "min_sequence_len",
                "must be at least 1 and at most max_sequence_len",
            ));
        }
        if self.max_calls == 0 {
            return Err(Error::input("max_calls", "must be at least 1"));
        }
        if self.fixture_dir.is_some() && !self.isolate {
            return Err(Error::input("fixture_dir", "goes with `isolate`"));
        }
        self.validate_target()
    }

    fn validate_target(&self) -> Result<(), Error> {
        match &self.target {
            Target::Stdio(stdio) if stdio.command.trim().is_empty() => {
                Err(Error::input("target.stdio.command", "must name a program"))
            }
            Target::Http(http) => check_url("target.http.url", &http.url),
            Target::Sse(http) => check_url("target.sse.url", &http.url),
            Target::Stdio(_) | Target::InProcess(_) => Ok(()),
        }
    }
}

fn check_url(field: &str, text: &str) -> Result<(), Error> {
    match url::Url::parse(text) {
        Ok(url) if matches!(url.scheme(), "http" | "https") && url.host().is_some() => Ok(()),
        Ok(url) => Err(Error::input(
            field,
            format!("must be an http or https URL, not one with `{}:`", url.scheme()),
        )),
        Err(error) => Err(Error::input(field, format!("is not a URL ({error}): `{text}`"))),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn shards_are_counted_from_one() {
        assert_eq!(parse_shard(Some("2/4")).expect("fits"), (1, 4));
        assert!(parse_shard(Some("0/4")).is_err());
        assert!(parse_shard(Some("5/4")).is_err());
    }

    #[test]
    fn names_that_reach_outside_are_told() {
        assert!(reaches_outside("execute_command"));
        assert!(reaches_outside("sendEmail"));
        assert!(!reaches_outside("execute_task"));
        assert!(!reaches_outside("write_file"));
    }
}
