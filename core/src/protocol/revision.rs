//! Protocol revisions and every difference between them that the tester must know.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use std::fmt;

/// A published revision of the Model Context Protocol.
#[derive(
    Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize, JsonSchema,
)]
pub enum Revision {
    /// 2024-11-05: the first, with HTTP+SSE.
    #[serde(rename = "2024-11-05")]
    V2024_11_05,
    /// 2025-03-26: Streamable HTTP, annotations, batches.
    #[serde(rename = "2025-03-26")]
    V2025_03_26,
    /// 2025-06-18: structured output, elicitation.
    #[serde(rename = "2025-06-18")]
    V2025_06_18,
    /// 2025-11-25: icons, tasks, tool names.
    #[serde(rename = "2025-11-25")]
    V2025_11_25,
    /// 2026-07-28: stateless, no handshake.
    #[serde(rename = "2026-07-28")]
    V2026_07_28,
}

/// Whether a revision opens with a handshake.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum Era {
    /// `initialize`, then a session (revisions up to 2025-11-25).
    Legacy,
    /// Self-contained requests (2026-07-28).
    Modern,
}

impl Revision {
    /// All published revisions, oldest first.
    pub const ALL: [Self; 5] = [
        Self::V2024_11_05,
        Self::V2025_03_26,
        Self::V2025_06_18,
        Self::V2025_11_25,
        Self::V2026_07_28,
    ];

    /// The newest revision that has a handshake.
    pub const NEWEST_LEGACY: Self = Self::V2025_11_25;

    /// The revision's date, as it stands on the wire.
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::V2024_11_05 => "2024-11-05",
            Self::V2025_03_26 => "2025-03-26",
            Self::V2025_06_18 => "2025-06-18",
            Self::V2025_11_25 => "2025-11-25",
            Self::V2026_07_28 => "2026-07-28",
        }
    }

    /// The revision with that date, if there is one.
    pub fn parse(date: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|r| r.as_str() == date)
    }

    /// Whether it opens with a handshake.
    pub const fn era(self) -> Era {
        match self {
            Self::V2026_07_28 => Era::Modern,
            _ => Era::Legacy,
        }
    }

    /// Tools may declare `outputSchema` and results carry `structuredContent` (2025-06-18, server/tools#structured-content).
    pub fn has_structured_content(self) -> bool {
        self >= Self::V2025_06_18
    }

    /// `structuredContent` must be an object; from 2026-07-28 on it may be any JSON value.
    pub fn structured_content_is_object(self) -> bool {
        self < Self::V2026_07_28
    }

    /// JSON-RPC batches must be accepted (2025-03-26, basic/index#batching).
    pub fn has_batches(self) -> bool {
        self == Self::V2025_03_26
    }

    /// Results carry `resultType` (2026-07-28, basic/index#resulttype).
    pub fn has_result_type(self) -> bool {
        self.era() == Era::Modern
    }

    /// `ping` exists.
    pub fn has_ping(self) -> bool {
        self.era() == Era::Legacy
    }

    /// The header `MCP-Protocol-Version` goes with each HTTP request after the opening.
    pub fn has_version_header(self) -> bool {
        self >= Self::V2025_06_18
    }

    /// The content block types that a tool result or prompt may hold.
    pub fn content_types(self) -> &'static [&'static str] {
        match self {
            Self::V2024_11_05 => &["text", "image", "resource"],
            Self::V2025_03_26 => &["text", "image", "audio", "resource"],
            _ => &["text", "image", "audio", "resource", "resource_link"],
        }
    }
}

impl fmt::Display for Revision {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.as_str())
    }
}
