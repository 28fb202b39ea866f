//! A page of Markdown: its headings, links, code and tables.

use std::collections::BTreeSet;
use std::path::Path;

use pulldown_cmark::{Event, Options, Parser, Tag, TagEnd};

use crate::tree;

/// One page.
pub struct Page {
    /// Its path in the repository.
    pub path: String,
    /// Its headings, in order.
    pub headings: Vec<String>,
    /// Where its links lead.
    pub links: Vec<String>,
    /// Its code: a line of a block or an inline piece each.
    pub code: Vec<String>,
    /// Rows of its tables, with the heading above them: of each cell the inline code.
    rows: Vec<(String, Vec<Vec<String>>)>,
}

impl Page {
    /// Reads a page.
    pub fn read(path: String) -> Self {
        let text = tree::read(&path);
        let mut page = Self { path, headings: Vec::new(), links: Vec::new(), code: Vec::new(), rows: Vec::new() };
        let (mut in_heading, mut in_block) = (false, false);
        for event in Parser::new_ext(&text, Options::ENABLE_TABLES) {
            match event {
                Event::Start(Tag::Heading { .. }) => {
                    in_heading = true;
                    page.headings.push(String::new());
                }
                Event::End(TagEnd::Heading(_)) => in_heading = false,
                Event::Start(Tag::CodeBlock(_)) => in_block = true,
                Event::End(TagEnd::CodeBlock) => in_block = false,
                Event::Start(Tag::Link { dest_url, .. } | Tag::Image { dest_url, .. }) => {
                    page.links.push(dest_url.into_string());
                }
                Event::Start(Tag::TableRow) => {
                    let heading = page.headings.last().cloned().unwrap_or_default();
                    page.rows.push((heading, Vec::new()));
                }
                Event::Start(Tag::TableCell) => {
                    if let Some((_, cells)) = page.rows.last_mut() {
                        cells.push(Vec::new());
                    }
                }
                Event::Code(code) => page.take_code(&code, in_heading),
                Event::Text(text) if in_block => page.code.extend(text.lines().map(str::to_owned)),
                Event::Text(text) if in_heading => page.headings.last_mut().unwrap().push_str(&text),
                _ => {}
            }
        }
        page
    }

    fn take_code(&mut self, code: &str, in_heading: bool) {
        self.code.push(code.to_owned());
        if in_heading {
            self.headings.last_mut().unwrap().push_str(code);
        }
        if let Some(cell) = self.rows.last_mut().and_then(|(_, cells)| cells.last_mut()) {
            cell.push(code.to_owned());
        }
    }

    /// Of each row of the tables under a heading, the inline code of each cell.
    pub fn rows_under(&self, heading: &str) -> Vec<&Vec<Vec<String>>> {
        self.rows.iter().filter(|(above, _)| above == heading).map(|(_, cells)| cells).collect()
    }

    /// Commands that begin with these words, without the prompt and without variables before them.
    pub fn commands(&self, beginning: &str) -> Vec<String> {
        let lines = self.code.iter().map(|line| line.trim_start().trim_start_matches("$ "));
        let starts = lines.filter_map(|line| {
            let words = line.split(' ').take_while(|word| word.contains('=') && !word.starts_with('-'));
            let variables: usize = words.map(|word| word.len() + 1).sum();
            line.get(variables..).filter(|command| command.starts_with(beginning))
        });
        starts.map(str::to_owned).collect()
    }

    /// Links to files or headings that there are not.
    pub fn broken_links(&self) -> Vec<String> {
        let folder = Path::new(&self.path).parent().unwrap();
        let broken = |link: &&String| {
            if link.contains("://") || link.starts_with("mailto:") {
                return false;
            }
            let (file, anchor) = link.split_once('#').unwrap_or((link, ""));
            let target = if file.is_empty() { self.path.clone() } else { folder.join(file).display().to_string() };
            let page = || {
                if file.is_empty() { anchors(&self.headings) } else { anchors(&Page::read(target.clone()).headings) }
            };
            !tree::exists(&target) || !anchor.is_empty() && !page().contains(anchor)
        };
        self.links.iter().filter(broken).map(|link| format!("{}: {link}", self.path)).collect()
    }
}

/// The anchors that headings get.
fn anchors(headings: &[String]) -> BTreeSet<String> {
    let anchor = |heading: &String| {
        let kept = heading.to_lowercase();
        let kept = kept.chars().filter(|character| character.is_alphanumeric() || " -_".contains(*character));
        kept.collect::<String>().replace(' ', "-")
    };
    headings.iter().map(anchor).collect()
}
