//! What is known of a lint without running it, and the macro that declares it.

use crate::protocol::Revision;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

/// How much a finding weighs.
#[derive(
    Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize, JsonSchema,
)]
#[serde(rename_all = "snake_case")]
pub enum Level {
    /// The lint does not run.
    Disabled,
    /// Reported; never fails a run by itself.
    Warning,
    /// Reported; the run fails.
    Error,
}

impl Level {
    /// The level as configuration files have it.
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::Disabled => "disabled",
            Self::Warning => "warning",
            Self::Error => "error",
        }
    }
}

/// When a lint's findings come up, as users see it.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum LintPhase {
    /// From the handshake, the lists and one-time probes, before any tool call.
    List,
    /// From the answers to calls.
    Response,
    /// From the finished record of the run.
    Run,
}

/// Which method of [`super::Lint`] a lint implements.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Hook {
    /// [`super::Lint::list`].
    List,
    /// [`super::Lint::probes`] and [`super::Lint::probed`].
    Probe,
    /// [`super::Lint::response`].
    Response,
    /// [`super::Lint::case`].
    Case,
    /// [`super::Lint::run`].
    Run,
}

impl Hook {
    /// The phase that users know the hook by.
    pub const fn phase(self) -> LintPhase {
        match self {
            Self::List | Self::Probe => LintPhase::List,
            Self::Response | Self::Case => LintPhase::Response,
            Self::Run => LintPhase::Run,
        }
    }
}

/// What is known of a lint without running it.
#[derive(Debug)]
pub struct Meta {
    /// The id: the name of the lint's module.
    pub id: &'static str,
    /// Which method it implements.
    pub hook: Hook,
    /// Its level where the configuration does not say otherwise.
    pub level: Level,
    /// Whether the configuration may change the level.
    pub fixed: bool,
    /// The docs: first line what it is, then why it matters (Markdown).
    pub docs: &'static str,
    /// The rule's source: path and anchor under the specification's revision, or a standard's section; empty for a rule of our own.
    pub spec: &'static str,
    /// What to do about a finding.
    pub fix: &'static str,
    /// The first revision that the rule holds for.
    pub since: Option<Revision>,
    /// The last revision that the rule holds for.
    pub until: Option<Revision>,
}

impl Meta {
    /// The first line of the docs.
    pub fn summary(&self) -> &'static str {
        self.docs.trim_start().lines().next().unwrap_or_default().trim_end()
    }

    /// The docs after the first line: why it matters.
    pub fn why(&self) -> String {
        let rest = self.docs.trim_start().split_once('\n').map_or("", |(_, rest)| rest);
        rest.lines().map(str::trim).collect::<Vec<_>>().join("\n").trim().to_owned()
    }

    /// The address of the rule's source in the newest revision that it holds for; `None` where the source is not a page of
    /// the specification (or there is none).
    pub fn spec_url(&self) -> Option<String> {
        let is_page = (self.spec.contains('/') || self.spec.starts_with("schema#"))
            && !self.spec.contains([' ', ':']);
        let newest = self.until.unwrap_or(Revision::ALL[Revision::ALL.len() - 1]);
        // 2026-07-28 spread these pages over others.
        let page = self.spec.split('#').next().unwrap_or_default();
        let dissolved = matches!(page, "basic/lifecycle" | "basic/transports")
            || page.starts_with("basic/utilities/");
        let newest = if dissolved { newest.min(Revision::NEWEST_LEGACY) } else { newest };
        is_page.then(|| {
            format!("https://modelcontextprotocol.io/specification/{newest}/{}", self.spec)
        })
    }

    /// Whether the rule holds for `revision`.
    pub fn applies_to(&self, revision: Revision) -> bool {
        self.since.is_none_or(|since| revision >= since)
            && self.until.is_none_or(|until| revision <= until)
    }
}

/// Links a lint's type to its [`Meta`]; implemented by the `lint!` macro.
pub trait Described {
    /// The lint's description.
    fn meta(&self) -> &'static Meta;
}

/// The part of a module path after the last `::`.
pub(crate) const fn last_segment(path: &'static str) -> &'static str {
    let bytes = path.as_bytes();
    let mut start = bytes.len();
    while start > 0 && bytes[start - 1] != b':' {
        start -= 1;
    }
    path.split_at(start).1
}

/// Declares a lint: its type (the parameters are its fields), its description and its registry entry.
///
/// ```text
/// lint! {
///     /// More tools than a model can choose from.
///     ///
///     /// Why that matters, in a sentence or two.
///     MaxTools(List, Warning) {
///         /// The largest number of tools.
///         max: usize = 128,
///     }
///     spec: "server/tools#tool-names", fix: "Offer fewer tools.",
///     since: V2025_06_18, until: V2025_11_25
/// }
/// ```
/// `since`, `until` and `fixed: true` may be left out. The id is the module's name.
macro_rules! lint {
    (
        $(#[doc = $doc:literal])+
        $name:ident($hook:ident, $level:ident) $({ $($(#[$fattr:meta])+ $field:ident : $type:ty = $default:expr),* $(,)? })?
        spec: $spec:expr, fix: $fix:expr
        $(, fixed: $fixed:literal)? $(, since: $since:ident)? $(, until: $until:ident)? $(,)?
    ) => {
        $(#[doc = $doc])+
        #[derive(Debug, Clone, serde::Serialize, serde::Deserialize, schemars::JsonSchema)]
        #[serde(default, deny_unknown_fields)]
        pub(crate) struct $name { $($($(#[$fattr])+ pub(crate) $field: $type,)*)? }

        impl Default for $name {
            fn default() -> Self {
                Self { $($($field: $default,)*)? }
            }
        }

        static META: $crate::lints::Meta = $crate::lints::Meta {
            id: $crate::lints::meta::last_segment(module_path!()),
            hook: $crate::lints::Hook::$hook,
            level: $crate::lints::Level::$level,
            fixed: false $(|| $fixed)?,
            docs: concat!($($doc, "\n"),+),
            spec: $spec,
            fix: $fix,
            since: { let since: Option<$crate::protocol::Revision> = None; $(let since = { let _ = since; Some($crate::protocol::Revision::$since) };)? since },
            until: { let until: Option<$crate::protocol::Revision> = None; $(let until = { let _ = until; Some($crate::protocol::Revision::$until) };)? until },
        };

        impl $crate::lints::Described for $name {
            fn meta(&self) -> &'static $crate::lints::Meta {
                &META
            }
        }

        pub(crate) static ENTRY: $crate::lints::Entry =
            $crate::lints::Entry::of::<$name>(&META);
    };
}
pub(crate) use lint;
