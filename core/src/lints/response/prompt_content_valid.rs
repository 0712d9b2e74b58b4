//! `prompt_content_valid`.

use crate::lints::content::{annotation_faults, base64_fault, contents_faults, mime_fault};
use crate::lints::look::{complete, kind_of};
use crate::lints::meta::lint;
use crate::lints::{Lint, Problem, ResponseContext};
#[cfg(test)]
use crate::lints::{examples::Examples, scene::Scene};
use crate::pointer::Members;
use crate::protocol::shapes;
use serde_json::Value;

lint! {
    /// A prompt's messages are malformed.
    ///
    /// Each message has a role (`user` or `assistant`) and one content block of a type that the revision has.
    PromptContentValid(Response, Error) {}
    spec: "server/prompts#promptmessage", fix: "Send `messages`: a list of `{role, content}` with one valid content block each."
}

impl Lint for PromptContentValid {
    fn response(&self, context: &ResponseContext<'_>, problems: &mut Vec<Problem>) {
        let exchange = context.exchange;
        let Some(result) = complete(context).filter(|_| exchange.method == "prompts/get") else {
            return;
        };
        let name = exchange.params.member("name").and_then(Value::as_str).unwrap_or_default();
        let faults = shapes::check_result(context.revision, "prompts/get", result);
        let own = faults
            .into_iter()
            .find(|fault| fault.pointer.is_empty() || fault.pointer.starts_with("/messages"));
        if let Some(fault) = own {
            problems.push(Problem::new(fault.rule(), format!("in the prompt {name:?}, {fault}")));
            return;
        }
        let messages = result.member("messages").and_then(Value::as_array);
        let blocks = messages.into_iter().flatten().filter_map(|message| message.member("content"));
        if let Some((block, fault)) =
            blocks.into_iter().find_map(|block| Some((block, fault(block)?)))
        {
            let kind = kind_of(block);
            problems.push(Problem::new(
                format!("{kind}: {fault}"),
                format!("in the prompt {name:?}, a block of type {kind}: {fault}"),
            ));
        }
    }
}

fn fault(block: &Value) -> Option<String> {
    let data = block.member("data").and_then(Value::as_str).and_then(base64_fault);
    let resource =
        block.member("resource").and_then(|resource| contents_faults(resource).into_iter().next());
    let notes =
        block.member("annotations").and_then(|notes| annotation_faults(notes).into_iter().next());
    data.map(|fault| format!("data {fault}")).or_else(|| mime_fault(block)).or(resource).or(notes)
}

#[cfg(test)]
pub(super) fn examples() -> Examples {
    use crate::exchange::Reply;
    use serde_json::json;

    let get = |content: Value| {
        let messages = json!([{"role": "user", "content": content}]);
        Scene::new().asked(
            "prompts/get",
            json!({"name": "p"}),
            Reply::Result(json!({"messages": messages})),
        )
    };
    Examples::of(&ENTRY)
        .flags("/messages/0/content/type", get(json!({"type": "video"})))
        .flags(
            "data is not base64",
            get(json!({"type": "image", "data": "%%", "mimeType": "image/png"})),
        )
        .passes(get(json!({"type": "text", "text": "x"})))
}
