//! `skills_declared_methods`.

use crate::exchange::Reply;
use crate::lints::meta::lint;
use crate::lints::probes::{ask, asked, first, outcome, shared};
use crate::lints::{Lint, ListContext, ProbeContext, Problem};
#[cfg(test)]
use crate::lints::{
    examples::Examples,
    scene::{Scene, error},
};
use crate::probe::{Becomes, Probe, ProbeBinding, ProbeRequest, ProbeStep};
use base64::Engine;
use base64::engine::general_purpose::STANDARD;
use serde_json::{Value, json};
use std::fmt::Write;

lint! {
    /// Skills are declared, but cannot be had, or are not what their manifest says.
    ///
    /// Hosts list and get them, and refuse a file whose bytes do not have the digest that the manifest gives.
    SkillsDeclaredMethods(Probe, Disabled) {}
    spec: "SEP-2640", fix: "Serve `skills/list` and `skills/get`, and compute each digest (`sha256:` and 64 hexadecimal digits) from the bytes that are served.", since: V2026_07_28
}

impl Lint for SkillsDeclaredMethods {
    fn probes(&self, context: &ListContext<'_>) -> Vec<Probe> {
        let extensions = context.server.capabilities.get("extensions");
        if extensions.is_none_or(|all| all.get("io.modelcontextprotocol/skills").is_none()) {
            return Vec::new();
        }
        let of_uri = |method: &str, step: usize, from: &str| {
            let (from, member) = (from.to_owned(), "uri".to_owned());
            ProbeStep::Request(ProbeRequest {
                method: method.to_owned(),
                params: json!({}),
                bindings: vec![ProbeBinding { step, from, member, becomes: Becomes::Itself }],
                ..ProbeRequest::default()
            })
        };
        let steps = vec![
            ask("skills/list", json!({})),
            of_uri("skills/get", 0, "/skills/0/uri"),
            of_uri("resources/read", 1, "/skill/resources/0/uri"),
        ];
        vec![shared("skills", steps)]
    }

    fn probed(&self, context: &ProbeContext<'_>, problems: &mut Vec<Problem>) {
        for (_, exchange) in asked(context) {
            if matches!(exchange.reply, Reply::Error(_)) {
                let problem = format!("{} got {}", exchange.method, outcome(exchange));
                problems.push(Problem::new(exchange.method.clone(), problem));
                return;
            }
        }
        let listed = first(context).and_then(|exchange| exchange.result());
        if listed.is_some_and(|result| !result.get("skills").is_some_and(Value::is_array)) {
            problems.push(Problem::new("no list", "skills/list has no list `skills`"));
        }
        problems.extend(context.runs.first().and_then(|run| {
            let got = run.exchange(1)?.result()?;
            let promised = got.pointer("/skill/resources/0/digest")?.as_str()?;
            let bytes = bytes_of(run.exchange(2)?.result()?.pointer("/contents/0")?)?;
            let own = digest(&bytes)?;
            let message =
                format!("the manifest gives a file the digest {promised:?}; it has {own}");
            (own != promised).then(|| Problem::new("digest", message))
        }));
    }
}

/// The bytes of a resource's contents.
fn bytes_of(contents: &Value) -> Option<Vec<u8>> {
    let text = contents.get("text").and_then(Value::as_str).map(|text| text.as_bytes().to_vec());
    text.or_else(|| STANDARD.decode(contents.get("blob")?.as_str()?).ok())
}

/// The digest as manifests write it; the hash is that of the TLS library.
fn digest(bytes: &[u8]) -> Option<String> {
    let suite = rustls::crypto::ring::cipher_suite::TLS13_AES_128_GCM_SHA256.tls13()?;
    let hash = suite.common.hash_provider.hash(bytes);
    let mut text = "sha256:".to_owned();
    for byte in hash.as_ref() {
        write!(text, "{byte:02x}").ok()?;
    }
    Some(text)
}

#[cfg(test)]
pub(super) fn examples() -> Examples {
    use crate::protocol::Revision;

    fn served(method: &str, digest: &str) -> Reply {
        let resources = json!([{"uri": "skill://a/SKILL.md", "digest": digest, "size": 3}]);
        Reply::Result(match method {
            "skills/list" => json!({"skills": [{"uri": "skill://a/SKILL.md"}]}),
            "skills/get" => json!({"skill": {"uri": "skill://a/SKILL.md", "resources": resources}}),
            _ => json!({"contents": [{"uri": "skill://a/SKILL.md", "text": "abc"}]}),
        })
    }
    let server = || {
        let extensions = json!({"io.modelcontextprotocol/skills": {}});
        Scene::at(Revision::V2026_07_28).capabilities(json!({"extensions": extensions}))
    };
    Examples::of(&ENTRY)
        .flags("skills/list got the error -32601", server().answers(|_, _| error(-32601, "x")))
        .flags(
            "the digest \"sha256:00\"",
            server().answers(|method, _| served(method, "sha256:00")),
        )
        // The digest of "abc" from FIPS 180-2, appendix B.1.
        .passes(server().answers(|method, _| {
            served(
                method,
                "sha256:ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad",
            )
        }))
        .passes(Scene::at(Revision::V2026_07_28))
}
