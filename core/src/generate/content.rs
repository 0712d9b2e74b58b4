//! Strings with declared content: JSON text, base64.

use base64::{Engine, engine::general_purpose::STANDARD};

use super::{Draw, format::word};

/// Text of a media type, encoded as declared.
pub(super) fn sample(media: Option<&str>, encoding: Option<&str>, draw: &mut Draw) -> String {
    let plain = match media {
        Some("application/json") => match draw.index(3) {
            0 => format!("{{\"{}\": {}}}", word(draw), draw.index(100)),
            1 => format!("[{}, {}]", draw.index(10), draw.index(10)),
            _ => format!("\"{}\"", word(draw)),
        },
        _ => word(draw).to_owned(),
    };
    match encoding {
        Some("base64") => STANDARD.encode(plain),
        _ => plain,
    }
}
