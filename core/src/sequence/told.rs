//! What a run tells of what was learned.

use super::mind::Mind;
use crate::catalog::Catalog;

impl Mind {
    /// What was learned, strongest links first, and how many values there were.
    pub(crate) fn report(&self, catalog: &Catalog) -> crate::result::CorpusReport {
        let name = |tool: usize| catalog.tools[tool].name.as_str();
        let mut links = Vec::new();
        for param in &self.links.params {
            for (path, arm) in param.paths.iter().filter(|(_, arm)| arm.ok > 0) {
                let path = &self.links.paths[path.0 as usize];
                let kind = if path.argument { "argument " } else { "" };
                links.push(crate::result::CorpusLink {
                    from: format!("{} {kind}{}", path.tool.map_or("server", name), path.path),
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
        crate::result::CorpusReport { values: self.corpus.total, links, dump: None }
    }
}
