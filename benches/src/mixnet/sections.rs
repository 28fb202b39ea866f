//! What was measured under the names that the paper's artifact prints: sections, and in each a time
//! for every mixer, for the verifier or the senders, and sizes. Steps of the paper that there are
//! none of here read `none`.

use crate::measure::clock::Taken;

/// A section of the artifact's output.
pub struct Section<'a> {
    /// `mixing`, ...
    pub name: &'static str,
    /// What each mixer does; empty where senders or everybody do it.
    pub mixers: &'a [Taken],
    /// The part of one who is no mixer, and who that is: `verifier`, or all `senders`.
    pub other: Option<(&'static str, Taken)>,
    /// What is posted, and its bytes.
    pub sizes: Vec<(&'static str, usize)>,
    /// Steps of the paper's protocol that this one lacks.
    pub lacking: &'static [&'static str],
}

impl Section<'_> {
    /// Its lines.
    pub fn lines(&self) -> Vec<String> {
        let mut lines = vec![format!("[{}]", self.name)];
        for (number, taken) in self.mixers.iter().enumerate() {
            lines.push(format!("mixer {number}: {} time: {:.3} s", self.name, taken.cpu));
        }
        for step in self.lacking {
            lines.push(format!("mixer X: {step} time: none"));
        }
        if !self.mixers.is_empty() {
            let greatest = self.mixers.iter().map(|taken| taken.cpu).fold(0.0, f64::max);
            lines.push(format!("mixer X total time: {greatest:.3} s"));
        }
        if let Some((who, taken)) = self.other {
            lines.push(format!("{who} total time: {:.3} s", taken.cpu));
            // A false answer ends the program before a line is printed.
            lines.push(format!("status_{}: True", self.name.replace(' ', "_")));
        }
        lines.extend(self.sizes.iter().map(|(what, bytes)| format!("size of {what}: {bytes} bytes")));
        lines
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_section_has_the_artifacts_entries() {
        let mixers = [Taken { wall: 9.0, cpu: 1.5 }, Taken { wall: 9.0, cpu: 2.25 }];
        let section = Section {
            name: "forward set membership",
            mixers: &mixers,
            other: Some(("verifier", Taken { wall: 9.0, cpu: 0.5 })),
            sizes: vec![("column", 77)],
            lacking: &["blinding"],
        };
        let expected = [
            "[forward set membership]",
            "mixer 0: forward set membership time: 1.500 s",
            "mixer 1: forward set membership time: 2.250 s",
            "mixer X: blinding time: none",
            "mixer X total time: 2.250 s",
            "verifier total time: 0.500 s",
            "status_forward_set_membership: True",
            "size of column: 77 bytes",
        ];
        assert_eq!(section.lines(), expected);
    }
}
