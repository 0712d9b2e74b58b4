//! What a validator says about an invalid value.

use jsonschema::ValidationError;

/// Messages longer than this many characters are cut: they quote the value, which may be large.
const MAX_MESSAGE: usize = 400;

/// One way in which a value breaks its schema.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Violation {
    /// JSON Pointer, in the value, of the part at fault.
    pub instance_pointer: String,
    /// JSON Pointer, in the schema, of the keyword that is broken.
    pub schema_pointer: String,
    /// The keyword that is broken, for example `required`.
    pub keyword: String,
    /// What is wrong, in words. Long values are cut.
    pub message: String,
}

impl Violation {
    pub(super) fn from_error(error: &ValidationError<'_>) -> Self {
        Self {
            instance_pointer: error.instance_path().as_str().to_owned(),
            schema_pointer: error.schema_path().as_str().to_owned(),
            keyword: error.kind().keyword().to_owned(),
            message: shortened(&error.to_string()),
        }
    }
}

/// `text`, cut in the middle if it is long.
pub(super) fn shortened(text: &str) -> String {
    let length = text.chars().count();
    if length <= MAX_MESSAGE {
        return text.to_owned();
    }
    let head: String = text.chars().take(MAX_MESSAGE / 2).collect();
    let tail: String = text.chars().skip(length - MAX_MESSAGE / 2).collect();
    format!("{head} … {tail}")
}
