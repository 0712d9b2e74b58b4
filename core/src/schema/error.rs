//! What can be wrong with a schema.

/// A fault of a schema, in words a server's author understands.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum SchemaError {
    /// `$schema` names a dialect that is not a published one; the schema is read as 2020-12.
    #[error(
        "`$schema` names {uri}, which is no published JSON Schema dialect; it is read as 2020-12"
    )]
    UnknownDialect {
        /// The value of `$schema`.
        uri: String,
    },
    /// A `$ref` points at something that is not in the document.
    #[error("`$ref` {reference} at {pointer:?} points at nothing in this schema")]
    DanglingReference {
        /// The reference as written.
        reference: String,
        /// JSON Pointer of the schema that holds it.
        pointer: String,
    },
    /// A `$ref` points at another document, which is never fetched.
    #[error(
        "`$ref` {reference} at {pointer:?} points at another document; remote schemas are never fetched"
    )]
    RemoteReference {
        /// The reference as written.
        reference: String,
        /// JSON Pointer of the schema that holds it.
        pointer: String,
    },
    /// The document is neither an object nor a boolean.
    #[error("a schema must be an object (or a boolean), not {found}")]
    NotASchema {
        /// What was there, for example `an array`.
        found: &'static str,
    },
    /// A keyword's value breaks the rules of the dialect.
    #[error("{keyword} at {pointer:?}: {explanation}")]
    Invalid {
        /// JSON Pointer, in the schema, of the value at fault.
        pointer: String,
        /// The keyword at fault.
        keyword: String,
        /// What is wrong and what to write instead.
        explanation: String,
    },
    /// The schema is nested more deeply than any validator is asked to follow.
    #[error("the schema is nested more than {limit} levels deep")]
    TooDeep {
        /// The limit, in levels of JSON nesting.
        limit: usize,
    },
    /// The compiler gave up for another reason.
    #[error("the schema cannot be compiled: {message}")]
    Unsupported {
        /// The compiler's reason.
        message: String,
    },
}

impl SchemaError {
    /// JSON Pointer, in the schema, of the fault; empty for faults of the whole document.
    pub fn pointer(&self) -> &str {
        match self {
            Self::DanglingReference { pointer, .. }
            | Self::RemoteReference { pointer, .. }
            | Self::Invalid { pointer, .. } => pointer,
            _ => "",
        }
    }
}
