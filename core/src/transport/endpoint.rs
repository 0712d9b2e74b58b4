//! A URL as the HTTP client needs it.

use super::error::OpenError;
use url::Url;

/// Where requests go.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Endpoint {
    url: Url,
    /// The host to connect to, IPv6 addresses without brackets.
    pub(crate) host: String,
    pub(crate) port: u16,
    pub(crate) tls: bool,
    /// The `Host` header: host and, where it is not the scheme's own, port.
    pub(crate) authority: String,
    /// Path and query, as the request line has them.
    pub(crate) target: String,
    /// User and password in the URL, as the `Authorization` header has them.
    pub(crate) basic: Option<String>,
}

impl Endpoint {
    /// Reads `url`; only `http` and `https` are known.
    pub(crate) fn parse(url: &str) -> Result<Self, OpenError> {
        let wrong = |reason: String| OpenError::BadUrl { url: url.to_owned(), reason };
        let parsed = Url::parse(url).map_err(|error| {
            wrong(format!("{error}; it must look like http://localhost:8000/mcp"))
        })?;
        let tls = match parsed.scheme() {
            "http" => false,
            "https" => true,
            other => return Err(wrong(format!("the scheme must be http or https, not {other}"))),
        };
        let host = parsed.host_str().filter(|host| !host.is_empty());
        let bracketed = host.ok_or_else(|| wrong("it has no host".to_owned()))?.to_owned();
        let port = parsed.port_or_known_default().unwrap_or(80);
        let authority = match parsed.port() {
            Some(port) => format!("{bracketed}:{port}"),
            None => bracketed.clone(),
        };
        let target = match parsed.query() {
            Some(query) => format!("{}?{query}", parsed.path()),
            None => parsed.path().to_owned(),
        };
        let host = bracketed.trim_matches(['[', ']']).to_owned();
        let basic = basic_credentials(&parsed);
        Ok(Self { url: parsed, host, port, tls, authority, target, basic })
    }

    /// The endpoint that `reference` names, seen from this one; it must be at the same server.
    pub(crate) fn join(&self, reference: &str) -> Result<Self, String> {
        let joined = self
            .url
            .join(reference)
            .map_err(|error| format!("{reference:?} is no URL: {error}"))?;
        if joined.origin() != self.url.origin() {
            return Err(format!("{reference:?} is at another server"));
        }
        Self::parse(joined.as_str()).map_err(|error| error.to_string())
    }

    /// Host and port, for messages.
    pub(crate) fn address(&self) -> String {
        if self.host.contains(':') {
            format!("[{}]:{}", self.host, self.port)
        } else {
            format!("{}:{}", self.host, self.port)
        }
    }
}

fn basic_credentials(url: &Url) -> Option<String> {
    use base64::Engine;
    if url.username().is_empty() && url.password().is_none() {
        return None;
    }
    let decode = |text: &str| percent_encoding::percent_decode_str(text).collect::<Vec<u8>>();
    let pair = [decode(url.username()), decode(url.password().unwrap_or_default())].join(&b':');
    Some(format!("Basic {}", base64::engine::general_purpose::STANDARD.encode(pair)))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn urls_are_taken_apart() {
        let endpoint = Endpoint::parse("https://[::1]:8443/a/mcp?x=1#frag").unwrap();
        assert_eq!((endpoint.host.as_str(), endpoint.port, endpoint.tls), ("::1", 8443, true));
        assert_eq!(
            (endpoint.authority.as_str(), endpoint.target.as_str()),
            ("[::1]:8443", "/a/mcp?x=1")
        );
        let plain = Endpoint::parse("http://example.com").unwrap();
        assert_eq!(
            (plain.authority.as_str(), plain.port, plain.target.as_str()),
            ("example.com", 80, "/")
        );
        let named = Endpoint::parse("http://user:p%20w@example.com/").unwrap();
        assert_eq!(named.basic.as_deref(), Some("Basic dXNlcjpwIHc="));
    }

    #[test]
    fn other_schemes_and_other_servers_are_refused() {
        assert!(matches!(Endpoint::parse("ftp://x/"), Err(OpenError::BadUrl { .. })));
        assert!(matches!(Endpoint::parse("localhost"), Err(OpenError::BadUrl { .. })));
        let base = Endpoint::parse("http://localhost:1/sse").unwrap();
        assert_eq!(base.join("/messages?s=1").unwrap().target, "/messages?s=1");
        assert!(base.join("http://elsewhere/").is_err());
    }
}
