//! Subjects: what one run of a tester looks at.

use super::catalogue::{self, Bug, Era, ServerName, Transport};
use super::options::Options;
use std::collections::BTreeMap;
use std::path::Path;

/// What one run of a tester looks at: a server, what is odd about it, and how it is reached.
#[derive(Debug, Clone, PartialEq)]
pub struct Subject {
    /// The server.
    pub server: ServerName,
    /// What is odd about it.
    pub variant: Variant,
    /// How it is reached.
    pub transport: Transport,
    /// The era that the run is forced to.
    pub era: Era,
}

/// What is odd about a server.
#[derive(Debug, Clone, PartialEq)]
pub enum Variant {
    /// Nothing.
    Clean,
    /// Something that is no fault.
    Decoy(String),
    /// A fault.
    Mutant(Bug),
}

impl Subject {
    /// How tables call it, apart from its server.
    pub fn id(&self) -> String {
        match &self.variant {
            Variant::Mutant(bug) => bug.id.clone(),
            Variant::Decoy(id) => format!("decoy {id}"),
            Variant::Clean => {
                let transport = match self.transport {
                    Transport::Stdio => "stdio",
                    Transport::Http => "http",
                };
                format!("clean {transport} {}", self.era.protocol_version())
            }
        }
    }

    /// The bug, if it has one.
    pub fn bug(&self) -> Option<&Bug> {
        match &self.variant {
            Variant::Mutant(bug) => Some(bug),
            _ => None,
        }
    }

    /// The variables that make the server what it is; `marks` is the file that it notes triggered faults in.
    pub fn environment(&self, marks: &Path) -> BTreeMap<String, String> {
        let mut env = match &self.variant {
            Variant::Clean => return BTreeMap::new(),
            Variant::Decoy(id) => BTreeMap::from([("TOOLTEST_DECOY".to_owned(), id.clone())]),
            Variant::Mutant(bug) => {
                let mut env = bug.env.clone();
                env.insert("TOOLTEST_BUG".to_owned(), bug.id.clone());
                env
            }
        };
        env.insert("TOOLTEST_TRIGGER_FILE".to_owned(), marks.display().to_string());
        env
    }
}

/// The subjects that the options ask for, clean ones first.
///
/// # Errors
/// A sentence, where a catalogue cannot be read or nothing is left.
pub fn subjects(servers: &Path, options: &Options) -> Result<Vec<Subject>, String> {
    let mut subjects = Vec::new();
    for server in options.servers() {
        subjects.extend(without_fault(servers, server, options)?);
    }
    for server in options.servers() {
        if !options.clean_only {
            subjects.extend(mutants(servers, server, options)?);
        }
    }
    if subjects.is_empty() {
        Err("the options leave nothing to run".to_owned())
    } else {
        Ok(subjects)
    }
}

fn without_fault(
    servers: &Path,
    server: ServerName,
    options: &Options,
) -> Result<Vec<Subject>, String> {
    let subject = |variant, transport, era| Subject { server, variant, transport, era };
    let mut subjects = Vec::new();
    if options.wants("clean") {
        subjects.push(subject(Variant::Clean, Transport::Stdio, Era::Legacy));
        subjects.push(subject(Variant::Clean, Transport::Stdio, Era::Modern));
        subjects.push(subject(Variant::Clean, Transport::Http, Era::Any));
    }
    for decoy in catalogue::decoys(servers, server)? {
        if options.wants(&decoy.id) {
            subjects.push(subject(Variant::Decoy(decoy.id), Transport::Stdio, Era::Any));
        }
    }
    Ok(subjects)
}

fn mutants(servers: &Path, server: ServerName, options: &Options) -> Result<Vec<Subject>, String> {
    let bugs = catalogue::bugs(servers, server)?.into_iter();
    let wanted = bugs.filter(|bug| options.wants(&bug.id)).step_by(options.every as usize);
    Ok(wanted
        .map(|bug| Subject {
            server,
            transport: bug.transport,
            era: bug.era,
            variant: Variant::Mutant(bug),
        })
        .collect())
}
