//! What a run gets by steps that go together in one transaction.

use aardvark_dictionary::{Key, Value};

use crate::renew::RunStep;

/// What a run gets in one transaction.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct GrownRun {
    /// The key of its head.
    pub head: Key,
    /// What stands under it before.
    pub before: Option<Value>,
    /// The segment before the first that it gets, unless that one is in the head or there is none.
    pub previous: Option<(Key, Value)>,
    /// The segments that it gets behind the first of its revision: keys, values, certificates.
    pub segments: Vec<(Key, Value, Vec<u8>)>,
    /// The certificate of the first segment, where its revision begins.
    pub first: Option<Vec<u8>>,
    /// What is put under its head's key.
    pub after: Value,
}

impl GrownRun {
    /// What a run gets by one step.
    pub(crate) fn of(step: RunStep) -> Self {
        let RunStep { head, before, previous, segment, certificate, after } = step;
        let (segments, first) = match segment {
            Some((key, value)) => (vec![(Key::from(key), Value::from(value), certificate)], None),
            None => (Vec::new(), Some(certificate)),
        };
        let previous = previous.map(|(key, value)| (Key::from(key), Value::from(value)));
        let (before, after) = (before.map(Value::from), Value::from(after));
        Self { head: Key::from(head), before, previous, segments, first, after }
    }

    /// The same with the next step of the run.
    pub(crate) fn grown(mut self, step: RunStep) -> Self {
        let segment = step.segment.map(|(key, value)| (Key::from(key), Value::from(value), step.certificate));
        self.segments.extend(segment);
        Self { after: Value::from(step.after), ..self }
    }

    /// By how many steps it got this.
    pub(crate) fn steps(&self) -> usize {
        self.segments.len() + usize::from(self.first.is_some())
    }

    /// Whether it begins in this transaction.
    pub(crate) fn begins(&self) -> bool {
        self.before.is_none()
    }
}
