//! Laying text out on lines: a document is written flat where it fits, and broken at its line
//! breaks where it does not.

/// The widest line.
const WIDTH: usize = 110;

/// A piece of text with possible line breaks.
#[derive(Clone, Debug)]
pub enum Document {
    /// Text without a break.
    Text(String),
    /// A space, or a break where the group around it does not fit on the line.
    Line,
    /// A break always.
    HardLine,
    /// The pieces one after the other.
    Sequence(Vec<Document>),
    /// The breaks inside are followed by two more spaces.
    Nest(Box<Document>),
    /// Written flat if that fits.
    Group(Box<Document>),
}

/// Text without a break.
pub fn text(found: impl Into<String>) -> Document {
    Document::Text(found.into())
}

/// The pieces one after the other.
pub fn sequence(parts: impl IntoIterator<Item = Document>) -> Document {
    Document::Sequence(parts.into_iter().collect())
}

/// The breaks inside are followed by two more spaces.
pub fn nest(inner: Document) -> Document {
    Document::Nest(Box::new(inner))
}

/// Written flat if that fits.
pub fn group(inner: Document) -> Document {
    Document::Group(Box::new(inner))
}

impl Document {
    /// The text, starting at a column.
    pub fn render(&self) -> String {
        let mut out = String::new();
        let mut column = 0;
        let mut stack = vec![(0, false, self)];
        while let Some((indent, flat, document)) = stack.pop() {
            match document {
                Self::Text(found) => {
                    column += found.chars().count();
                    out.push_str(found);
                }
                Self::Line if flat => {
                    column += 1;
                    out.push(' ');
                }
                Self::Line | Self::HardLine => {
                    out.truncate(out.trim_end_matches(' ').len());
                    out.push('\n');
                    out.extend(std::iter::repeat_n(' ', indent));
                    column = indent;
                }
                Self::Sequence(parts) => stack.extend(parts.iter().rev().map(|part| (indent, flat, part))),
                Self::Nest(inner) => stack.push((indent + 2, flat, inner)),
                Self::Group(inner) => {
                    let rest = stack.iter().rev().map(|(_, flat, part)| (*flat, *part));
                    let fits = flat || inner.fits(WIDTH.saturating_sub(column), rest);
                    stack.push((indent, fits, inner));
                }
            }
        }
        out
    }

    /// Whether the document, flat, and what follows up to the next possible break, fit into so many
    /// columns.
    fn fits<'a>(&'a self, columns: usize, rest: impl Iterator<Item = (bool, &'a Self)>) -> bool {
        let mut left = columns;
        let mut following: Vec<(bool, &Self)> = rest.collect();
        following.reverse();
        following.push((true, self));
        while let Some((flat, document)) = following.pop() {
            match document {
                Self::Text(found) => match left.checked_sub(found.chars().count()) {
                    Some(fewer) => left = fewer,
                    None => return false,
                },
                Self::Line if flat => match left.checked_sub(1) {
                    Some(fewer) => left = fewer,
                    None => return false,
                },
                Self::HardLine if flat => return false,
                Self::Line | Self::HardLine => return true,
                Self::Sequence(parts) => following.extend(parts.iter().rev().map(|part| (flat, part))),
                Self::Nest(inner) | Self::Group(inner) => following.push((flat, inner)),
            }
        }
        true
    }
}
