//! Names of files for parameters that hold paths, and text in a format, by the kinds of files that descriptions speak of.

use serde_json::Value;

use super::{JsonTypes, Parameter, key_tokens};

/// Words for a kind of file, its ending, and a text in the format, where it is one.
const KINDS: &[(&[&str], &str, &str)] = &[
    (&["csv"], "csv", "name,age,score\nann,30,7.5\nbob,25,3\ncid,41,9.25\n"),
    (&["xlsx", "excel", "workbook", "spreadsheet"], "xlsx", ""),
    (&["pdf", "pdfs"], "pdf", ""),
    (&["docx", "word"], "docx", ""),
    (&["pptx", "powerpoint", "presentation", "presentations"], "pptx", ""),
    (&["json"], "json", r#"{"a": 1, "b": [1, 2], "name": "ann"}"#),
    (&["yaml", "yml"], "yaml", "a: 1\nb:\n  - 2\n"),
    (&["xml"], "xml", "<a><b>1</b></a>"),
    (&["html"], "html", "<p>hello</p>"),
    (&["markdown", "md"], "md", "# Title\n\nSome *text*.\n"),
    (&["toml"], "toml", "a = 1\n"),
    (&["python"], "py", "def one():\n    return 1\n"),
    (&["javascript"], "js", "const x = 1;\n"),
    (&["png", "image", "images", "picture", "screenshot"], "png", ""),
    (&["sqlite", "database"], "db", ""),
];

/// Stems of names that files for a trial mostly have.
const STEMS: &[&str] = &["sample", "test"];
/// Kinds of files that are considered for one parameter.
const MOST: usize = 3;
/// Names of parameters that hold a text.
const TEXTS: &[&str] =
    &["content", "data", "text", "input", "source", "string", "body", "document"];
/// Names of parameters that hold a path.
const PATHS: &[&str] = &["path", "file", "filename", "filepath"];
/// Words that tell that a path is one of a folder.
pub(super) const FOLDERS: &[&str] = &["directory", "dir", "folder", "repo", "repository", "root"];

/// Names of files, or a text in the right format: what the parameter's own words ask for first, then what the tool's do.
pub(super) fn values(parameter: &Parameter, described: &str, about: &str) -> Vec<Value> {
    if !parameter.types.contains(JsonTypes::STRING) || parameter.format.is_some() {
        return Vec::new();
    }
    let named = |names: &[&str]| parameter.tokens.iter().any(|word| names.contains(&word.as_str()));
    let own = parameter.tokens.iter().cloned().chain(key_tokens(described)).collect::<Vec<_>>();
    let kinds = kinds_in(&own).into_iter().chain(kinds_in(&key_tokens(about)));
    if is_path(parameter) {
        let names = kinds.take(MOST).flat_map(|(_, ending, _)| names(ending));
        return names.map(Value::from).collect();
    }
    if parameter.tokens.last().is_some_and(|word| TEXTS.contains(&word.as_str())) {
        let texts = kinds.map(|(_, _, text)| *text).filter(|text| !text.is_empty());
        return texts.take(1).map(Value::from).collect();
    }
    if named(&["uri", "url"]) && [described, about].iter().any(|text| text.contains("data:")) {
        return vec![Value::from("data:text/plain,hello%20world")];
    }
    Vec::new()
}

/// Whether a parameter's name says that it holds the path of a file, rather than of a folder.
pub(crate) fn is_path(parameter: &Parameter) -> bool {
    let has = |names: &[&str]| parameter.tokens.iter().any(|word| names.contains(&word.as_str()));
    has(PATHS) && !has(FOLDERS)
}

/// Names of files of the kinds that several descriptions speak of, the commonest kind first: what a server of one kind works on.
pub(crate) fn common<'a>(descriptions: impl Iterator<Item = &'a str>) -> Vec<Value> {
    let mut counts: Vec<(usize, &str)> = Vec::new();
    for description in descriptions {
        for (_, ending, _) in kinds_in(&key_tokens(description)) {
            match counts.iter_mut().find(|(_, known)| known == ending) {
                Some((count, _)) => *count += 1,
                None => counts.push((1, ending)),
            }
        }
    }
    counts.retain(|(count, _)| *count > 1);
    counts.sort_by_key(|(count, _)| std::cmp::Reverse(*count));
    counts.iter().take(2).flat_map(|(_, ending)| names(ending)).map(Value::from).collect()
}

/// Names that files with an ending (without its dot) often have.
pub(crate) fn names(ending: &str) -> impl Iterator<Item = String> {
    STEMS.iter().map(move |stem| format!("{stem}.{ending}"))
}

/// The kinds that words name, in their order.
fn kinds_in(
    words: &[String],
) -> Vec<&'static (&'static [&'static str], &'static str, &'static str)> {
    let mut found: Vec<&_> = Vec::new();
    for word in words {
        let kind = KINDS.iter().find(|(names, ..)| names.contains(&word.as_str()));
        if let Some(kind) =
            kind.filter(|kind| !found.iter().any(|other| std::ptr::eq(*other, *kind)))
        {
            found.push(kind);
        }
    }
    found
}

#[cfg(test)]
mod tests {
    use crate::schema::{CompiledSchema, Dialect};
    use serde_json::json;

    fn hints(name: &str, described: &str, about: &str) -> Vec<serde_json::Value> {
        let schema = json!({"type": "object", "properties": {name: {"type": "string", "description": described}}});
        let schema =
            CompiledSchema::compile(&schema, Dialect::Draft202012).unwrap().with_description(about);
        schema.all_parameters().at(&format!("/{name}")).unwrap().hints.clone()
    }

    #[test]
    fn a_path_gets_the_ending_that_words_ask_for() {
        assert_eq!(hints("path", "Path to the PDF file", "")[..1], [json!("sample.pdf")]);
        let found = hints("path", "", "Profiles a data file (CSV, Excel or JSON).");
        assert_eq!(found[..3], [json!("sample.csv"), json!("test.csv"), json!("sample.xlsx")]);
        assert!(!hints("note", "", "Reads PDFs").contains(&json!("sample.pdf")));
        let folder = hints("directory_path", "", "Reads the PDFs of a folder");
        assert_eq!(folder[0], json!("."), "{folder:?}");
    }

    #[test]
    fn a_server_of_one_kind_of_file_is_known_by_its_descriptions() {
        let about =
            ["Profiles a CSV file", "Rows of a CSV or JSON file", "Says hello", "To JSON; not CSV"];
        let found = super::common(about.into_iter());
        assert_eq!(found[..2], [json!("sample.csv"), json!("test.csv")]);
        assert!(super::common(["Reads a PDF"].into_iter()).is_empty());
    }

    #[test]
    fn content_is_in_the_format_that_words_ask_for() {
        let found = hints("content", "", "Load CSV data from a string");
        assert!(found[0].as_str().unwrap().starts_with("name,age"), "{found:?}");
        assert!(!hints("document_name", "", "A Markdown text")[0].as_str().unwrap().contains('#'));
        assert_eq!(
            hints("uri", "A file: or data: URI", "")[0],
            json!("data:text/plain,hello%20world")
        );
    }
}
