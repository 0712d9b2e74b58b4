//! Overlays and panels: what agents draw over and around a program's screen.

use std::borrow::Cow;
use std::collections::BTreeMap;

use schemars::{JsonSchema, Schema, SchemaGenerator, json_schema};
use serde::{Deserialize, Serialize, Serializer};

use crate::failure::Failure;
use crate::value::{Color, Text};

/// Most overlays, and most panels, that a session keeps.
const MOST: usize = 100;

/// Which of the two kinds of element an id names.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum Kind {
    Overlay,
    Panel,
}

/// Names an element; unique in the server and never used again.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) struct ElementId {
    pub(crate) kind: Kind,
    pub(crate) number: u64,
}

impl std::fmt::Display for ElementId {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let kind = match self.kind {
            Kind::Overlay => "ov",
            Kind::Panel => "pn",
        };
        write!(f, "{kind}-{}", self.number)
    }
}

impl Serialize for ElementId {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_str(self)
    }
}

impl JsonSchema for ElementId {
    fn inline_schema() -> bool {
        true
    }

    fn schema_name() -> Cow<'static, str> {
        "ElementId".into()
    }

    fn json_schema(_: &mut SchemaGenerator) -> Schema {
        json_schema!({"type": "string", "pattern": "^(ov|pn)-[0-9]+$"})
    }
}

/// The two layers: elements of one are hidden while the other shows.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, JsonSchema)]
#[serde(rename_all = "lowercase")]
#[schemars(inline)]
pub(crate) enum Layer {
    #[default]
    Normal,
    Alt,
}

/// A piece of text in one style. A line feed in the text begins a new line.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub(crate) struct Span {
    pub(crate) text: Text<0, 2000>,
    /// Colour of the characters
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(crate) fg: Option<Color>,
    /// Colour behind the characters
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(crate) bg: Option<Color>,
    #[serde(default)]
    pub(crate) bold: bool,
    #[serde(default)]
    pub(crate) italic: bool,
    #[serde(default)]
    pub(crate) underline: bool,
}

/// A box with text over the screen.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, JsonSchema)]
#[schemars(deny_unknown_fields)]
pub(crate) struct Overlay {
    pub(crate) id: ElementId,
    pub(crate) x: u16,
    pub(crate) y: u16,
    /// Higher ones cover lower ones
    pub(crate) z: u16,
    pub(crate) width: u16,
    pub(crate) height: u16,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) background: Option<Color>,
    pub(crate) spans: Vec<Span>,
    pub(crate) layer: Layer,
}

/// Which edge of the terminal a panel takes.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "lowercase")]
#[schemars(inline)]
pub(crate) enum Position {
    Top,
    #[default]
    Bottom,
}

/// Rows at an edge of the terminal that the program does not get.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, JsonSchema)]
#[schemars(deny_unknown_fields)]
pub(crate) struct Panel {
    pub(crate) id: ElementId,
    pub(crate) position: Position,
    pub(crate) height: u16,
    /// Lower ones are nearer to the edge
    pub(crate) z: u16,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) background: Option<Color>,
    pub(crate) spans: Vec<Span>,
    pub(crate) layer: Layer,
}

/// What overlays and panels have in common.
pub(crate) trait Draw: Clone {
    /// What people call it.
    const NOUN: &str;
    fn id(&self) -> ElementId;
    fn layer(&self) -> Layer;
    fn map(elements: &mut Elements) -> &mut BTreeMap<ElementId, Self>;
}

impl Draw for Overlay {
    const NOUN: &str = "overlay";

    fn id(&self) -> ElementId {
        self.id
    }

    fn layer(&self) -> Layer {
        self.layer
    }

    fn map(elements: &mut Elements) -> &mut BTreeMap<ElementId, Self> {
        &mut elements.overlays
    }
}

impl Draw for Panel {
    const NOUN: &str = "panel";

    fn id(&self) -> ElementId {
        self.id
    }

    fn layer(&self) -> Layer {
        self.layer
    }

    fn map(elements: &mut Elements) -> &mut BTreeMap<ElementId, Self> {
        &mut elements.panels
    }
}

/// Everything drawn in one session, and where typed input goes.
#[derive(Debug, Default)]
pub(crate) struct Elements {
    pub(crate) layer: Layer,
    /// Whether typed input is kept from the program.
    pub(crate) captured: bool,
    /// The element that captured input is meant for.
    pub(crate) focus: Option<ElementId>,
    overlays: BTreeMap<ElementId, Overlay>,
    panels: BTreeMap<ElementId, Panel>,
}

impl Elements {
    /// The elements of one kind that show now, by id.
    pub(crate) fn shown<T: Draw>(&mut self) -> Vec<T> {
        let layer = self.layer;
        T::map(self).values().filter(|element| element.layer() == layer).cloned().collect()
    }

    /// The element with this id, if it shows now.
    pub(crate) fn find<T: Draw>(&mut self, id: &str) -> Result<T, Failure> {
        let found = self.shown::<T>().into_iter().find(|element| element.id().to_string() == id);
        found.ok_or_else(|| Failure::Missing(format!("no {} {id:?} in this session", T::NOUN)))
    }

    /// Adds or replaces an element.
    pub(crate) fn put<T: Draw>(&mut self, element: T) -> Result<(), Failure> {
        let map = T::map(self);
        if map.len() >= MOST && !map.contains_key(&element.id()) {
            return Err(Failure::Conflict(format!("a session has at most {MOST} {}s", T::NOUN)));
        }
        map.insert(element.id(), element);
        Ok(())
    }

    /// Removes one element, or all of its kind that show now. Returns the ids of those removed.
    pub(crate) fn remove<T: Draw>(&mut self, id: Option<&str>) -> Result<Vec<ElementId>, Failure> {
        let gone: Vec<ElementId> = match id {
            Some(id) => vec![self.find::<T>(id)?.id()],
            None => self.shown::<T>().iter().map(Draw::id).collect(),
        };
        T::map(self).retain(|id, _| !gone.contains(id));
        self.drop_focus_of(&gone);
        Ok(gone)
    }

    /// Changes to the alternate layer, or back, which removes what was drawn in it. Returns the ids of those removed.
    pub(crate) fn change_layer(&mut self, layer: Layer) -> Vec<ElementId> {
        let mut gone = Vec::new();
        if self.layer == Layer::Alt && layer == Layer::Normal {
            gone.extend(self.shown::<Overlay>().iter().map(Draw::id));
            gone.extend(self.shown::<Panel>().iter().map(Draw::id));
            self.overlays.retain(|id, _| !gone.contains(id));
            self.panels.retain(|id, _| !gone.contains(id));
        }
        self.layer = layer;
        if self.focus.is_some_and(|focus| !self.shows(focus)) {
            self.focus = None;
        }
        gone
    }

    /// Rows that the panels of the layer that shows take.
    pub(crate) fn panel_rows(&mut self) -> u16 {
        self.shown::<Panel>().iter().map(|panel| panel.height).fold(0, u16::saturating_add)
    }

    /// The id with this text, if it names an element that shows now.
    pub(crate) fn resolve(&mut self, id: &str) -> Result<ElementId, Failure> {
        let overlay = self.find::<Overlay>(id).map(|overlay| overlay.id);
        overlay
            .or_else(|_| self.find::<Panel>(id).map(|panel| panel.id))
            .map_err(|_| Failure::Missing(format!("no overlay or panel {id:?} in this session")))
    }

    fn shows(&mut self, id: ElementId) -> bool {
        self.resolve(&id.to_string()).is_ok()
    }

    fn drop_focus_of(&mut self, gone: &[ElementId]) {
        if self.focus.is_some_and(|focus| gone.contains(&focus)) {
            self.focus = None;
        }
    }
}
