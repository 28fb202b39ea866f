//! Filling the paragraphs of comments.
//!
//! A paragraph is a run of comment lines with one indentation and one mark (`//`, `///`, `//!`).
//! What Markdown or a reader takes line by line is left as it is: code between fences, tables,
//! headings, link definitions, and lines that are indented further. An item of a list is a
//! paragraph whose lines after the first are indented under it.

/// Most columns of a comment line.
pub const WIDTH: usize = 100;
/// Most columns of a line of code (`max_width` in rustfmt.toml), also of code between fences.
const CODE_WIDTH: usize = 120;

/// Whether a line is a comment that is too wide and could be narrower: tables and single long words
/// could not.
fn is_too_wide(line: &str) -> bool {
    let Some(comment) = Comment::of(line) else { return false };
    let words = comment.text.split_whitespace().count();
    line.chars().count() > WIDTH && words > 1 && !comment.text.starts_with('|')
}

/// The numbers of the lines that are too wide: prose at the comments' width, what stands between
/// fences at the code's.
pub fn wide_lines(text: &str) -> Vec<usize> {
    let mut in_fence = false;
    let mut wide = |line: &str| {
        let comment = Comment::of(line);
        in_fence ^= comment.is_some_and(|comment| comment.text.starts_with("```"));
        if in_fence { comment.is_some() && line.chars().count() > CODE_WIDTH } else { is_too_wide(line) }
    };
    (1..).zip(text.lines()).filter(|(_, line)| wide(line)).map(|(number, _)| number).collect()
}

/// The text of a file, with every paragraph filled that has a line too wide.
pub fn fill(text: &str) -> String {
    let lines: Vec<&str> = text.lines().collect();
    let mut filled: Vec<String> = Vec::with_capacity(lines.len());
    let (mut place, mut in_fence) = (0, false);
    while let Some(line) = lines.get(place) {
        let comment = Comment::of(line);
        in_fence ^= comment.is_some_and(|comment| comment.text.starts_with("```"));
        let length = if in_fence { 1 } else { paragraph(lines.get(place..).unwrap_or_default()) };
        let paragraph = lines.get(place..place + length).unwrap_or_default();
        match comment {
            Some(first) if !in_fence && first.can_begin() && paragraph.iter().any(|line| is_too_wide(line)) => {
                filled.extend(refill(first, paragraph));
            }
            _ => filled.extend(paragraph.iter().map(|line| (*line).to_owned())),
        }
        place += length;
    }
    filled.join("\n") + if text.ends_with('\n') { "\n" } else { "" }
}

/// A line that is a comment and nothing else.
#[derive(Clone, Copy)]
struct Comment<'a> {
    /// Spaces before the mark.
    indentation: usize,
    mark: &'a str,
    /// Spaces between mark and text.
    gap: usize,
    text: &'a str,
}

impl<'a> Comment<'a> {
    fn of(line: &'a str) -> Option<Self> {
        let trimmed = line.trim_start();
        let mark = ["///", "//!", "//"].into_iter().find(|mark| trimmed.starts_with(mark))?;
        let rest = trimmed.get(mark.len()..)?;
        let text = rest.trim();
        // `////` and rulers of slashes are no comments to be filled.
        let is_text = rest.is_empty() || rest.starts_with(' ');
        is_text.then_some(Self {
            indentation: line.len() - trimmed.len(),
            mark,
            gap: rest.len() - rest.trim_start().len(),
            text,
        })
    }

    /// Whether a paragraph that is filled may begin here.
    fn can_begin(&self) -> bool {
        let is_kept = ["|", "#", "```", "//"].iter().any(|start| self.text.starts_with(start))
            || self.text.starts_with('[') && self.text.contains("]: ");
        !self.text.is_empty() && !is_kept && (self.gap == 1 || self.marker().is_some())
    }

    /// The bullet or number of a list's item, with the space behind it.
    fn marker(&self) -> Option<&'a str> {
        let (word, _) = self.text.split_once(' ')?;
        let digits = word.trim_end_matches(['.', ')']);
        let is_number =
            digits.len() + 1 == word.len() && !digits.is_empty() && digits.bytes().all(|b| b.is_ascii_digit());
        (["-", "*", "+"].contains(&word) || is_number).then(|| self.text.get(..=word.len())).flatten()
    }

    /// Whether this line goes on with the paragraph that begins with `first`.
    fn continues(&self, first: &Self) -> bool {
        let gap = first.gap + first.marker().map_or(0, str::len);
        let same = (self.indentation, self.mark) == (first.indentation, first.mark);
        same && self.gap == gap && self.can_stand_behind()
    }

    fn can_stand_behind(&self) -> bool {
        Self { gap: 1, ..*self }.can_begin() && self.marker().is_none()
    }
}

/// How many lines the paragraph has that begins with the first of these.
fn paragraph(lines: &[&str]) -> usize {
    let Some(first) = lines.first().and_then(|line| Comment::of(line)).filter(Comment::can_begin) else { return 1 };
    let continues = |line: &&&str| Comment::of(line).is_some_and(|comment| comment.continues(&first));
    1 + lines.iter().skip(1).take_while(continues).count()
}

/// The words of a paragraph, in lines of at most [`WIDTH`] columns.
fn refill(first: Comment<'_>, paragraph: &[&str]) -> Vec<String> {
    let marker = first.marker().unwrap_or_default();
    let start = format!("{}{}{}", " ".repeat(first.indentation), first.mark, " ".repeat(first.gap));
    let (mut lines, mut line) = (Vec::new(), format!("{start}{}", marker.trim_end()));
    let mut is_empty = marker.is_empty();
    let texts = paragraph.iter().filter_map(|line| Comment::of(line)).map(|comment| comment.text);
    let words = texts.flat_map(str::split_whitespace).skip(usize::from(!is_empty));
    for word in inseparable(words) {
        let fits = line.chars().count() + 1 + word.chars().count() <= WIDTH;
        if !is_empty && !fits {
            lines.push(std::mem::take(&mut line));
            line = format!("{start}{}", " ".repeat(marker.len()));
            is_empty = true;
        }
        if !is_empty {
            line.push(' ');
        }
        line.push_str(&word);
        is_empty = false;
    }
    lines.push(line);
    lines
}

/// The words, each with those behind it that may begin no line.
fn inseparable<'a>(words: impl Iterator<Item = &'a str>) -> Vec<String> {
    let mut joined: Vec<String> = Vec::new();
    for word in words {
        match joined.last_mut() {
            Some(last) if !can_begin_line(word) => last.extend([" ", word]),
            _ => joined.push(word.to_owned()),
        }
    }
    joined
}

/// Whether a word means at a line's beginning what it means within: no bullet, number, heading,
/// quotation or table.
fn can_begin_line(word: &str) -> bool {
    let number = word.trim_end_matches(['.', ')']);
    let is_number = number.len() < word.len() && number.bytes().all(|b| b.is_ascii_digit());
    !(is_number || ["-", "*", "+", "=", "|", ">"].contains(&word) || word.starts_with(['#', '|', '>']))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn words(count: usize) -> String {
        vec!["word"; count].join(" ")
    }

    #[test]
    fn a_wide_paragraph_is_filled_and_a_narrow_one_is_left() {
        let narrow = "/// short\n/// lines\nfn f() {}\n";
        assert_eq!(fill(narrow), narrow);
        let wide = format!("    /// {}\n    /// end\n    fn f() {{}}\n", words(30));
        let filled = fill(&wide);
        assert_eq!(filled, format!("    /// {}\n    /// {} end\n    fn f() {{}}\n", words(18), words(12)));
        assert!(filled.lines().all(|line| line.chars().count() <= WIDTH));
        assert_eq!(fill(&filled), filled);
    }

    #[test]
    fn paragraphs_lists_and_marks_stay_apart() {
        let wide = words(25);
        let text = format!("//! {wide}\n//!\n//! - {wide}\n//!   {wide}\n//! - b\n//! 1. {wide}\n// {wide}\n/// x\n");
        let filled = fill(&text);
        let starts: Vec<&str> = filled.lines().filter_map(|line| line.split("word").next()).collect();
        let expected = [
            "//! ", "//! ", "//!", "//! - ", "//!   ", "//!   ", "//! - b", "//! 1. ", "//!    ", "// ", "// ", "/// x",
        ];
        assert_eq!(starts, expected, "{filled}");
        assert_eq!(filled.matches("word").count(), 5 * 25);
        assert!(!filled.lines().any(is_too_wide));
    }

    #[test]
    fn fences_tables_headings_and_definitions_are_left() {
        let wide = words(30);
        for kept in [
            format!("//! ```text\n//! {wide}\n//! ```\n"),
            format!("//! | {wide} |\n"),
            format!("/// # {wide}\n"),
            format!("/// [a b]: {wide}\n"),
            format!("//!     {wide}\n"),
            format!("//// {wide}\n"),
            format!("let x = 1; // {wide}\n"),
        ] {
            assert_eq!(fill(&kept), kept);
        }
        let behind = format!("/// ```\n/// code\n/// ```\n/// {wide}\n");
        assert_ne!(fill(&behind), behind);
    }

    #[test]
    fn no_line_begins_with_a_word_that_would_be_a_mark_there() {
        let full = words(18);
        for mark in ["-", "1.", "#", "|", ">"] {
            let filled = fill(&format!("/// {full} abcdef {mark} end\n"));
            assert_eq!(filled, format!("/// {full}\n/// abcdef {mark} end\n"));
        }
        assert_eq!(fill(&format!("/// {full} abcdef end\n")), format!("/// {full} abcdef\n/// end\n"));
    }

    #[test]
    fn code_between_fences_has_the_width_of_code() {
        let line = |columns: usize| format!("//! {} x\n", "w".repeat(columns - 6));
        let text = |columns| format!("{}//! ```text\n{}//! ```\n{}", line(101), line(columns), line(100));
        assert_eq!((wide_lines(&text(120)), wide_lines(&text(121))), (vec![1], vec![1, 3]));
    }

    #[test]
    fn tables_and_long_words_are_not_too_wide() {
        let link = "x".repeat(120);
        assert!(!is_too_wide(&format!("// {link}")));
        assert!(!is_too_wide(&format!("/// | a {link} |")));
        assert!(is_too_wide(&format!("/// a {link}")));
        assert!(!is_too_wide(&format!("let a = \"{link} {link}\";")));
        assert!(is_too_wide(&format!("// {}", "é ".repeat(99))));
        assert!(!is_too_wide(&format!("// {}", "é".repeat(97))));
    }
}
