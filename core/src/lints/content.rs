//! Content blocks: the checks that calls, prompts and resources share.

use crate::pointer::{Members, Places};
use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;
use serde_json::Value;

/// What is wrong with the base64 text of a block's `data` or a resource's `blob`.
pub(super) fn base64_fault(text: &str) -> Option<String> {
    if text.starts_with("data:") {
        return Some("is a data: URL, not bare base64".to_owned());
    }
    match STANDARD.decode(text) {
        Ok(bytes) if bytes.is_empty() => Some("is empty".to_owned()),
        Ok(_) => None,
        Err(_) if text.contains(['-', '_']) && !text.contains(['+', '/']) => {
            Some("uses the URL alphabet of base64, not the standard one".to_owned())
        }
        Err(error) => Some(format!("is not base64 ({error})")),
    }
}

/// Whether a text has the form of a media type: `type/subtype`, with parameters or not.
pub(super) fn is_media_type(text: &str) -> bool {
    let essence = text.split(';').next().unwrap_or_default().trim();
    let token = |part: &str| {
        !part.is_empty()
            && part.bytes().all(|b| b.is_ascii_alphanumeric() || b"!#$&-^_.+*'|~%`".contains(&b))
    };
    essence.split_once('/').is_some_and(|(kind, subtype)| token(kind) && token(subtype))
}

/// What is wrong with a URI that should be absolute.
pub(super) fn uri_fault(uri: &str) -> Option<String> {
    if uri.is_empty() {
        return Some("is empty".to_owned());
    }
    if uri.contains(|c: char| c.is_whitespace() || c.is_control()) {
        return Some("contains white space".to_owned());
    }
    match url::Url::parse(uri) {
        Ok(_) => None,
        Err(url::ParseError::RelativeUrlWithoutBase) => Some("has no scheme".to_owned()),
        // Custom schemes owe nothing to the rules for web addresses.
        Err(_) if !uri.starts_with("http") && has_scheme(uri) => None,
        Err(error) => Some(format!("is no URI ({error})")),
    }
}

fn has_scheme(uri: &str) -> bool {
    uri.split_once(':').is_some_and(|(scheme, _)| {
        scheme.starts_with(|c: char| c.is_ascii_alphabetic())
            && scheme.bytes().all(|b| b.is_ascii_alphanumeric() || b"+-.".contains(&b))
    })
}

/// What is wrong with the contents of a resource: exactly one of `text` and `blob`, base64 in `blob`, a URI.
pub(super) fn contents_faults(contents: &Value) -> Vec<String> {
    let mut faults = Vec::new();
    let (text, blob) = (contents.member("text"), contents.member("blob"));
    match (text, blob) {
        (Some(_), Some(_)) => faults.push("has both text and blob".to_owned()),
        (None, None) => faults.push("has neither text nor blob".to_owned()),
        _ => {}
    }
    if let Some(fault) =
        blob.and_then(Value::as_str).filter(|b| !b.is_empty()).and_then(base64_fault)
    {
        faults.push(format!("blob {fault}"));
    }
    match contents.member("uri").and_then(Value::as_str) {
        None => faults.push("has no uri".to_owned()),
        Some(uri) => faults.extend(uri_fault(uri).map(|fault| format!("uri {fault}"))),
    }
    faults
}

/// What is wrong with the MIME type of an image or audio block, or of a resource in it.
pub(super) fn mime_fault(block: &Value) -> Option<String> {
    let kind = super::look::kind_of(block);
    let mime = block.member("mimeType").and_then(Value::as_str);
    let family = match kind {
        "image" => "image/",
        "audio" => "audio/",
        "resource" => {
            let mime = block.place("/resource/mimeType").and_then(Value::as_str)?;
            return (!is_media_type(mime)).then(|| format!("mimeType {mime:?} is no media type"));
        }
        _ => return None,
    };
    let Some(mime) = mime else {
        return Some("mimeType is missing".to_owned());
    };
    if !is_media_type(mime) {
        return Some(format!("mimeType {mime:?} is no media type"));
    }
    (!mime.to_ascii_lowercase().starts_with(family))
        .then(|| format!("mimeType {mime:?} is not {family}…"))
}

/// What is wrong with the `annotations` of a block or resource.
pub(super) fn annotation_faults(annotations: &Value) -> Vec<String> {
    let mut faults = Vec::new();
    if !annotations.is_object() {
        return vec!["annotations is no object".to_owned()];
    }
    if let Some(audience) = annotations.member("audience") {
        let roles = audience.as_array().filter(|roles| {
            roles.iter().all(|role| matches!(role.as_str(), Some("user" | "assistant")))
        });
        if roles.is_none() {
            faults.push("audience must be a list of \"user\" and \"assistant\"".to_owned());
        }
    }
    if let Some(priority) = annotations.member("priority")
        && !priority.as_f64().is_some_and(|p| (0.0..=1.0).contains(&p))
    {
        faults.push("priority must be a number from 0 to 1".to_owned());
    }
    if let Some(modified) = annotations.member("lastModified")
        && !modified.as_str().is_some_and(is_iso_8601)
    {
        faults.push("lastModified must be an ISO 8601 time".to_owned());
    }
    faults
}

/// A date, or a date and a time with or without offset.
pub(super) fn is_iso_8601(text: &str) -> bool {
    let digits =
        |part: &str, count: usize| part.len() == count && part.bytes().all(|b| b.is_ascii_digit());
    let (date, time) = match text.split_once(['T', 't']) {
        Some((date, time)) => (date, Some(time)),
        None => (text, None),
    };
    let parts: Vec<&str> = date.split('-').collect();
    let date_fits = matches!(parts[..], [y, m, d] if digits(y, 4) && digits(m, 2) && digits(d, 2));
    let time_fits = time.is_none_or(|time| {
        let clock = time.trim_end_matches(['Z', 'z']);
        let clock = clock.split(['+', '-']).next().unwrap_or_default();
        let clock = clock.split('.').next().unwrap_or_default();
        let parts: Vec<&str> = clock.split(':').collect();
        (2..=3).contains(&parts.len()) && parts.iter().all(|part| digits(part, 2))
    });
    date_fits && time_fits
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    #[test]
    fn base64_faults_are_named() {
        assert_eq!(base64_fault("aGk="), None);
        assert!(base64_fault("aGk").unwrap().contains("not base64"));
        assert!(base64_fault("").unwrap().contains("empty"));
        assert!(base64_fault("_-8=").unwrap().contains("URL alphabet"));
        assert!(base64_fault("data:image/png;base64,aGk=").unwrap().contains("data: URL"));
    }

    #[test]
    fn uris_need_a_scheme() {
        assert_eq!(uri_fault("demo://static/1"), None);
        assert_eq!(uri_fault("file:///a%20b"), None);
        assert_eq!(uri_fault("urn:x:y"), None);
        assert!(uri_fault("notes/1").is_some());
        assert!(uri_fault("file:///a b").is_some());
    }

    #[test]
    fn times_are_iso_8601() {
        for text in ["2025-01-12T15:00:58Z", "2025-01-12", "2025-01-12T15:00:58.123+02:00"] {
            assert!(is_iso_8601(text), "{text}");
        }
        for text in ["yesterday", "1736694058", "12.01.2025"] {
            assert!(!is_iso_8601(text), "{text}");
        }
    }

    #[test]
    fn contents_have_text_or_blob() {
        assert!(contents_faults(&json!({"uri": "a:b", "text": "x"})).is_empty());
        assert_eq!(contents_faults(&json!({"uri": "a:b"})).len(), 1);
        assert_eq!(contents_faults(&json!({"uri": "b", "text": "", "blob": "%"})).len(), 3);
    }
}
