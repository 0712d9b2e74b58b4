//! The formats of reports, by the names that users give them.

use super::HumanOptions;
use crate::result::RunResult;
use crate::suggest::did_you_mean;
use std::fmt;
use std::str::FromStr;

/// A format of reports.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Format {
    /// For a terminal.
    Human,
    /// The result itself.
    Json,
    /// `JUnit` XML.
    Junit,
    /// SARIF 2.1.0.
    Sarif,
    /// One self-contained page.
    Html,
    /// Markdown for a GitHub step summary.
    Markdown,
    /// Annotations for GitHub Actions.
    Github,
    /// Events as they happen, one a line.
    Ndjson,
}

/// A name that is no format's.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("`{name}` is not a report format: {}the formats are {}", suggestion.as_ref().map(|s| format!("{s} ")).unwrap_or_default(), Format::ALL.map(Format::name).join(", "))]
pub struct UnknownFormat {
    /// The name as given.
    pub name: String,
    /// What may have been meant.
    pub suggestion: Option<String>,
}

impl Format {
    /// All formats.
    pub const ALL: [Self; 8] = [
        Self::Human,
        Self::Json,
        Self::Junit,
        Self::Sarif,
        Self::Html,
        Self::Markdown,
        Self::Github,
        Self::Ndjson,
    ];

    /// The format's name.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Human => "human",
            Self::Json => "json",
            Self::Junit => "junit",
            Self::Sarif => "sarif",
            Self::Html => "html",
            Self::Markdown => "markdown",
            Self::Github => "github",
            Self::Ndjson => "ndjson",
        }
    }

    /// What it is for, in a few words.
    pub const fn about(self) -> &'static str {
        match self {
            Self::Human => "for a terminal",
            Self::Json => "the whole result, versioned",
            Self::Junit => "JUnit XML: a test case per tool and per lint",
            Self::Sarif => "SARIF 2.1.0, for code scanning",
            Self::Html => "one self-contained page",
            Self::Markdown => "for a GitHub step summary",
            Self::Github => "annotations for GitHub Actions",
            Self::Ndjson => "events as they happen, one a line",
        }
    }

    /// The report of a finished run whose time is not known. `human` is only for [`Format::Human`]; [`Format::Ndjson`] has no events to tell of any more,
    /// and gives the result on one line.
    pub fn render(self, result: &RunResult, human: &HumanOptions) -> String {
        match self {
            Self::Human => super::human(result, human),
            Self::Json => super::json(result),
            Self::Junit => super::junit(result, None),
            Self::Sarif => super::sarif(result),
            Self::Html => super::html(result),
            Self::Markdown => super::markdown(result),
            Self::Github => super::github(result),
            Self::Ndjson => super::ndjson_result(result),
        }
    }
}

impl fmt::Display for Format {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}

impl FromStr for Format {
    type Err = UnknownFormat;

    fn from_str(name: &str) -> Result<Self, UnknownFormat> {
        let known = Self::ALL.into_iter().find(|format| format.name().eq_ignore_ascii_case(name));
        known.ok_or_else(|| UnknownFormat {
            name: name.to_owned(),
            suggestion: did_you_mean(name, Self::ALL.map(Self::name)),
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_round_trip_and_typos_are_recognised() {
        for format in Format::ALL {
            assert_eq!(format.name().parse(), Ok(format));
        }
        let error = "sarrif".parse::<Format>().unwrap_err();
        assert!(error.to_string().contains("did you mean `sarif`?"), "{error}");
    }
}
