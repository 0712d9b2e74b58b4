//! Strings of a format.

use super::Draw;

/// Words for plausible text.
pub(super) const WORDS: &[&str] = &[
    "alpha", "beta", "blue", "cat", "delta", "demo", "echo", "example", "first", "green", "hello",
    "item", "lemon", "list", "main", "note", "one", "plan", "red", "river", "sample", "second",
    "sun", "table", "task", "test", "tree", "two", "user", "world",
];

/// A word.
pub(super) fn word(draw: &mut Draw) -> &'static str {
    draw.pick(WORDS).copied().unwrap_or("test")
}

/// Values of known formats, the simplest first; the simplest one is what shrinking ends at.
pub(super) fn fixed(format: &str) -> &'static [&'static str] {
    match format {
        "date-time" => &[
            "2024-03-15T09:30:00Z",
            "2000-02-29T23:59:59.999+14:00",
            "1970-01-01T00:00:00Z",
            "9999-12-31T23:59:59Z",
        ],
        "date" => &["2024-03-15", "2000-02-29", "1970-01-01", "9999-12-31", "0001-01-01"],
        "time" => &["09:30:00Z", "00:00:00Z", "23:59:59.999Z", "12:00:00+05:30"],
        "duration" => &["PT1H", "P1D", "P1Y2M3DT4H5M6S", "P1W", "PT0S"],
        "email" => &["ann@example.com", "a.b+c@sub.example.org"],
        "idn-email" => &["ann@example.com", "änne@example.com"],
        "hostname" | "idn-hostname" => &["example.com", "localhost", "a-1.example.org"],
        "ipv4" => &["127.0.0.1", "10.0.0.1", "255.255.255.255", "0.0.0.0"],
        "ipv6" => &["::1", "2001:db8::1", "::", "::ffff:192.0.2.1"],
        "uri" | "iri" => &[
            "https://example.com/",
            "http://localhost:8080/a?b=c#d",
            "file:///tmp/a.txt",
            "urn:isbn:0451450523",
        ],
        "uri-reference" | "iri-reference" => &["/a", "https://example.com/", "a/b?c=d", "#a"],
        "uri-template" => &["https://example.com/{id}", "/a/{b}{?c}"],
        "uuid" => &["123e4567-e89b-42d3-a456-426614174000", "00000000-0000-0000-0000-000000000000"],
        "json-pointer" => &["/a", "", "/a~1b/0", "/"],
        "relative-json-pointer" => &["0", "1/a", "2#"],
        "regex" => &["a", "^[a-z]+$", ".*", "\\d{2,3}"],
        _ => &[],
    }
}

/// A random string of a known format, `None` for formats that are not known.
pub(super) fn sample(format: &str, draw: &mut Draw) -> Option<String> {
    let known = fixed(format);
    if known.is_empty() {
        return None;
    }
    if draw.chance(0.3) {
        return draw.pick(known).map(|text| (*text).to_owned());
    }
    Some(match format {
        "date-time" => format!("{}T{}Z", date(draw), time(draw)),
        "date" => date(draw),
        "time" => format!("{}Z", time(draw)),
        "duration" => match draw.index(3) {
            0 => format!("P{}D", draw.range(1, 30)),
            1 => format!("PT{}H{}M", draw.range(1, 23), draw.range(1, 59)),
            _ => format!("PT{}S", draw.range(1, 59)),
        },
        "email" | "idn-email" => format!("{}@{}.example.com", word(draw), word(draw)),
        "hostname" | "idn-hostname" => format!("{}.example.com", word(draw)),
        "ipv4" => format!("10.{}.{}.{}", draw.index(256), draw.index(256), draw.range(1, 254)),
        "ipv6" => format!("2001:db8::{:x}", draw.range(1, 0xffff)),
        "uri" | "iri" => format!("https://example.com/{}/{}", word(draw), draw.index(100)),
        "uri-reference" | "iri-reference" => format!("/{}/{}", word(draw), draw.index(100)),
        "uri-template" => format!("https://example.com/{}/{{{}}}", word(draw), word(draw)),
        "uuid" => uuid(draw),
        "json-pointer" => format!("/{}/{}", word(draw), draw.index(10)),
        "relative-json-pointer" => format!("{}/{}", draw.index(10), word(draw)),
        _ => format!("^{}[a-z]*$", word(draw)),
    })
}

fn date(draw: &mut Draw) -> String {
    format!("{}-{:02}-{:02}", draw.range(1990, 2035), draw.range(1, 12), draw.range(1, 28))
}

fn time(draw: &mut Draw) -> String {
    format!("{:02}:{:02}:{:02}", draw.index(24), draw.index(60), draw.index(60))
}

/// A random UUID, version 4.
fn uuid(draw: &mut Draw) -> String {
    let (a, b) = (draw.bits(), draw.bits());
    format!(
        "{:08x}-{:04x}-4{:03x}-{:04x}-{:012x}",
        a >> 32,
        (a >> 16) & 0xffff,
        a & 0xfff,
        0x8000 | (b >> 48) & 0x3fff,
        b & 0xffff_ffff_ffff
    )
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::schema::{CompiledSchema, Dialect};
    use serde_json::json;

    #[test]
    fn every_sample_has_its_format() {
        let mut draw = Draw::new(3);
        for format in [
            "date-time",
            "date",
            "time",
            "duration",
            "email",
            "idn-email",
            "hostname",
            "idn-hostname",
            "ipv4",
            "ipv6",
            "uri",
            "iri",
            "uri-reference",
            "iri-reference",
            "uri-template",
            "uuid",
            "json-pointer",
            "relative-json-pointer",
            "regex",
        ] {
            let raw = json!({"type": "object", "properties": {"x": {"type": "string", "format": format}}});
            let schema = CompiledSchema::compile(&raw, Dialect::Draft202012).unwrap();
            let sampled = (0..50).map(|_| sample(format, &mut draw).unwrap());
            for text in fixed(format).iter().map(|text| (*text).to_owned()).chain(sampled) {
                assert!(schema.is_valid_input(&json!({"x": text})), "{format}: {text}");
            }
            let rejects = |text: &str| !schema.is_valid_input(&json!({"x": text}));
            assert!(rejects("\u{1}\\ not {"), "{format} is asserted");
        }
    }
}
