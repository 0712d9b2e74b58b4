//! What a run tells of what was learned.

use super::links::PathKey;
use super::mind::Mind;
use crate::catalog::Catalog;
use crate::input::StateMachineConfig;
use serde_json::Value;

/// Values of one key that the result carries at most.
const DUMPED: usize = 1000;

/// Whether somebody wants to know what enters the corpus.
pub(super) fn wants(config: &StateMachineConfig) -> bool {
    config.dump_corpus || config.log_corpus_deltas
}

impl Mind {
    /// What was learned, strongest links first, and how many values there were.
    pub(crate) fn report(&self, catalog: &Catalog) -> crate::result::CorpusReport {
        let name = |tool: usize| catalog.tools[tool].name.as_str();
        let mut links = Vec::new();
        for param in &self.links.params {
            for (path, arm) in param.paths.iter().filter(|(_, arm)| arm.ok > 0) {
                let path = &self.links.paths[path.0 as usize];
                let kind = if path.argument { "argument " } else { "" };
                let owner = if path.shared { "tools" } else { path.tool.map_or("server", name) };
                links.push(crate::result::CorpusLink {
                    from: format!("{owner} {kind}{}", path.path),
                    to: format!("{} {}", name(param.tool), param.pointer),
                    uses: u64::from(arm.uses),
                    ok: u64::from(arm.ok),
                });
            }
        }
        links.sort_by(|a, b| {
            b.ok.cmp(&a.ok).then_with(|| a.from.cmp(&b.from)).then_with(|| a.to.cmp(&b.to))
        });
        links.truncate(40);
        crate::result::CorpusReport { values: self.corpus.total, links, dump: self.dump.clone() }
    }

    /// What entered the corpus since the last time, each with its tool and key; kept for the result
    /// where that is wanted.
    pub(crate) fn news(&mut self, catalog: &Catalog) -> Vec<(String, String, Value)> {
        let news = self.corpus.news.as_mut().map(std::mem::take).unwrap_or_default();
        news.into_iter().map(|(path, value)| self.told(catalog, path, value)).collect()
    }

    fn told(&mut self, catalog: &Catalog, path: PathKey, value: Value) -> (String, String, Value) {
        let path = &self.links.paths[path.0 as usize];
        let tool = path.tool.map_or("server", |tool| catalog.tools[tool].name.as_str()).to_owned();
        let key = if path.argument { format!("argument {}", path.path) } else { path.path.clone() };
        if let Some(dump) = &mut self.dump {
            let values = dump.entry(format!("{tool} {key}")).or_default();
            if values.len() < DUMPED && !values.contains(&value) {
                values.push(value.clone());
            }
        }
        (tool, key, value)
    }
}
