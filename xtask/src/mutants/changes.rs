//! The changes of a function that are worth trying: each is one small, meaningful slip in its body.
//!
//! The text is changed, not a syntax tree: what results need not type-check, and the caller asks
//! Coq (choose.rs). A change is named by its kind and by the first line that differs.

use crate::mutants::definitions::{Function, Library};
use crate::mutants::tokens::{Token, operand_end, then_of, tokens_of};

/// A changed definition.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Change {
    /// Which sort of slip.
    pub kind: &'static str,
    /// The first line that differs, before and after.
    pub shown: String,
    /// The whole definition.
    pub text: String,
}

/// Tokens that are exchanged for others.
const EXCHANGED: [(&str, &str, &str); 17] = [
    ("swap a comparison", "<?", "<=?"),
    ("swap a comparison", "<=?", "<?"),
    ("swap a comparison", "=?", "<=?"),
    ("swap a connective", "&&", "||"),
    ("swap a connective", "||", "&&"),
    ("drop a negation", "negb", ""),
    ("swap an operation", "[+]", "[-]"),
    ("swap an operation", "[-]", "[+]"),
    ("swap an operation", "[*]", "[+]"),
    ("swap an operation", "/", "mod"),
    ("swap an operation", "mod", "/"),
    ("swap an operation", "*", "+"),
    ("swap a function", "bytes_less", "bytes_at_most"),
    ("swap a function", "bytes_at_most", "bytes_less"),
    ("swap a function", "covering_position", "preceding_position"),
    ("swap a function", "preceding_position", "covering_position"),
    ("swap a function", "u16_bytes", "u32_bytes"),
];

/// What replaces a result: the first of these that has the right type will do.
const TRIVIAL: [&str; 9] = ["None", "Ok tt", "Ok None", "true", "false", "[]", "0", "scalar_one", "default"];

/// All changes of a function, without the clumsy ones of [`last_resorts`].
pub fn changes_of(function: &Function, library: &Library) -> Vec<Change> {
    let body = function.text.get(function.body..).unwrap_or_default();
    let tokens = tokens_of(body);
    let mut maker = Maker { function, body, tokens: &tokens, made: Vec::new() };
    maker.exchange_tokens();
    maker.shift_numbers();
    maker.skip_firsts();
    maker.swap_branches();
    maker.drop_updates();
    maker.drop_appended();
    maker.swap_parameters();
    maker.swap_fields(library);
    maker.swap_reasons(library);
    maker.swap_functions(library);
    maker.skip_checks();
    maker.replace_results();
    maker.made
}

/// Changes for functions that allow no better one: the whole result is negated, or replaced.
pub fn last_resorts(function: &Function) -> Vec<Change> {
    let body = function.text.get(function.body..).unwrap_or_default();
    let mut maker = Maker { function, body, tokens: &[], made: Vec::new() };
    let whole = body.trim().trim_end_matches('.');
    if function.result == "bool" {
        maker.add("negate the result", format!("\n  negb ({whole})."));
    }
    let same = function.parameters.iter().filter(|(_, kind)| *kind == function.result);
    for (name, _) in same {
        maker.add("replace the whole result", format!("\n  {name}."));
    }
    for trivial in TRIVIAL.iter().chain(&["Ok []"]) {
        maker.add("replace the whole result", format!("\n  {trivial}."));
    }
    maker.made
}

struct Maker<'a> {
    function: &'a Function,
    body: &'a str,
    tokens: &'a [Token<'a>],
    made: Vec<Change>,
}

impl Maker<'_> {
    /// Adds the change whose body is this, unless nothing changed.
    fn add(&mut self, kind: &'static str, body: String) {
        if body.split_whitespace().eq(self.body.split_whitespace()) {
            return;
        }
        let text = format!("{}{body}", self.function.text.get(..self.function.body).unwrap_or_default());
        let shown = first_difference(&self.function.text, &text);
        self.made.push(Change { kind, shown, text });
    }

    /// Adds the change that puts other text for the bytes `from..to` of the body.
    fn put(&mut self, kind: &'static str, from: usize, to: usize, text: &str) {
        let (before, after) = (self.body.get(..from).unwrap_or_default(), self.body.get(to..).unwrap_or_default());
        self.add(kind, format!("{before}{text}{after}"));
    }

    fn exchange_tokens(&mut self) {
        for token in self.tokens {
            for (kind, from, to) in EXCHANGED {
                if token.text == from {
                    self.put(kind, token.start, token.end, to);
                }
            }
        }
    }

    /// `n` becomes `n + 1`, and `a - b` becomes `a - b - 1`.
    fn shift_numbers(&mut self) {
        for (i, token) in self.tokens.iter().enumerate() {
            let in_range = i > 0 && self.tokens.get(i - 1).is_some_and(|before| before.text == "range");
            if let (Ok(number), false) = (token.text.parse::<u128>(), in_range) {
                self.put("off by one", token.start, token.end, &(number + 1).to_string());
            }
        }
    }

    /// A loop leaves out its first round: the sentinel, the first claim, the first byte.
    fn skip_firsts(&mut self) {
        for (i, token) in self.tokens.iter().enumerate() {
            let Some(first) = self.tokens.get(i + 1).filter(|_| token.text == "range") else { continue };
            let end = operand_end(self.tokens, i + 1);
            let text = format!("({} + 1)", self.body.get(first.start..end).unwrap_or_default());
            self.put("skip the first", first.start, end, &text);
        }
    }

    fn swap_branches(&mut self) {
        for (i, token) in self.tokens.iter().enumerate() {
            let Some(then) = then_of(self.tokens, i).filter(|_| token.text == "if") else { continue };
            let Some(end) = then.checked_sub(1).and_then(|last| self.tokens.get(last)).map(|last| last.end) else {
                continue;
            };
            let condition = self.body.get(token.end..end).unwrap_or_default().trim();
            self.put("swap the branches", token.end, end, &format!(" negb ({condition})"));
        }
    }

    /// `field := value` in a record becomes the field of a parameter, or the type's default.
    fn drop_updates(&mut self) {
        for (i, token) in self.tokens.iter().enumerate() {
            let (Some(field), true) = (i.checked_sub(1).and_then(|i| self.tokens.get(i)), token.text == ":=") else {
                continue;
            };
            let in_record =
                i.checked_sub(2).and_then(|i| self.tokens.get(i)).is_some_and(|t| ["{|", ";"].contains(&t.text));
            let Some(end) = field_end(self.tokens, i + 1).filter(|_| in_record) else { continue };
            for (parameter, _) in &self.function.parameters {
                self.put("drop a field update", token.end, end, &format!(" {parameter}.({})", field.text));
            }
            let replaced = self.body.get(token.end..end).unwrap_or_default().trim();
            if !["None", "0", "false", "[]"].contains(&replaced) {
                self.put("drop a field update", token.end, end, " default");
            }
        }
    }

    /// `a ++ b` becomes `a`.
    fn drop_appended(&mut self) {
        for (i, token) in self.tokens.iter().enumerate() {
            if token.text == "++" {
                let end = appended_end(self.tokens, i + 1);
                self.put("drop what is appended", token.start, end, "");
            }
        }
    }

    /// Two parameters of one type change places in the body.
    fn swap_parameters(&mut self) {
        let parameters = &self.function.parameters;
        for (i, (first, kind)) in parameters.iter().enumerate() {
            for (second, _) in parameters.iter().skip(i + 1).filter(|(_, other)| other == kind) {
                let swapped = |token: &Token<'_>| {
                    if token.text == first {
                        second.clone()
                    } else if token.text == second {
                        first.clone()
                    } else {
                        token.text.to_owned()
                    }
                };
                let body = rebuilt(self.body, self.tokens, swapped);
                self.add("swap arguments", body);
            }
        }
    }

    fn swap_fields(&mut self, library: &Library) {
        for (i, token) in self.tokens.iter().enumerate() {
            let projected = i > 0 && self.tokens.get(i - 1).is_some_and(|before| before.text == ".(");
            let siblings = library.siblings.get(token.text).filter(|_| projected);
            for sibling in siblings.into_iter().flatten() {
                self.put("take another field", token.start, token.end, sibling);
            }
        }
    }

    fn swap_reasons(&mut self, library: &Library) {
        for token in self.tokens {
            if let Some(i) = library.reasons.iter().position(|reason| reason == token.text) {
                let other = library.reasons.get((i + 1) % library.reasons.len()).cloned().unwrap_or_default();
                self.put("give another reason", token.start, token.end, &other);
            }
        }
    }

    /// A function that is called becomes another one of the same file with the same types.
    fn swap_functions(&mut self, library: &Library) {
        for token in self.tokens {
            let Some(called) = library.functions.iter().find(|other| other.name == token.text) else { continue };
            let types = |function: &Function| -> Vec<String> {
                function.parameters.iter().map(|(_, kind)| kind.clone()).chain([function.result.clone()]).collect()
            };
            let alike = library.functions.iter().filter(|other| {
                other.file == called.file && other.name != called.name && types(other) == types(called)
            });
            for other in alike {
                self.put("swap a function", token.start, token.end, &other.name);
            }
        }
    }

    /// What is matched on becomes something trivial: a check that always passes, a look-up that
    /// finds nothing.
    fn skip_checks(&mut self) {
        for (i, token) in self.tokens.iter().enumerate() {
            let Some(end) = end_before(self.tokens, i + 1, &["with"]).filter(|_| token.text == "match") else {
                continue;
            };
            for trivial in TRIVIAL {
                self.put("skip a check", token.end, end, &format!(" {trivial}"));
            }
        }
    }

    /// What stands after `then`, `else`, `=>` of a branch: something trivial instead.
    fn replace_results(&mut self) {
        for (i, token) in self.tokens.iter().enumerate() {
            if !["then", "else", "=>"].contains(&token.text) || in_function(self.tokens, i) {
                continue;
            }
            let Some(end) = branch_end(self.tokens, i + 1) else { continue };
            let replaced = self.body.get(token.end..end).unwrap_or_default().trim();
            // The default of a type is one of these: no change.
            let is_default = ["None", "0", "false", "[]"].contains(&replaced);
            for trivial in TRIVIAL.iter().filter(|trivial| !(is_default && **trivial == "default")) {
                self.put("replace a branch's result", token.end, end, &format!(" {trivial}"));
            }
        }
    }
}

/// Where the value of a record's field ends: before `;` or `|}` at its depth.
fn field_end(tokens: &[Token<'_>], from: usize) -> Option<usize> {
    end_before(tokens, from, &[";", "|}"])
}

/// Where a branch ends that is no branching itself.
fn branch_end(tokens: &[Token<'_>], from: usize) -> Option<usize> {
    if ["if", "match", "let"].contains(&tokens.get(from)?.text) {
        return None;
    }
    end_before(tokens, from, &["else", "|", "end", "in", "with", ";", "|}"])
}

fn appended_end(tokens: &[Token<'_>], from: usize) -> usize {
    let enders = ["++", "in", "then", "else", "with", "|", "end", ";", "|}", "=?", "<?", "<=?", ":="];
    end_before(tokens, from, &enders).unwrap_or_default()
}

/// Where the tokens end before the first of `enders` at the depth of the first, or before what
/// closes that depth.
fn end_before(tokens: &[Token<'_>], from: usize, enders: &[&str]) -> Option<usize> {
    let mut depth = 0i32;
    let mut end = None;
    for token in tokens.get(from..)? {
        match token.text {
            "(" | "[" | "{|" | ".(" => depth += 1,
            ")" | "]" => depth -= 1,
            "|}" if depth > 0 => depth -= 1,
            text if depth == 0 && (enders.contains(&text) || text == ".") => return end,
            _ => {}
        }
        if depth < 0 {
            return end;
        }
        end = Some(token.end);
    }
    end
}

/// Whether the arrow at `i` is that of `fun x =>`.
fn in_function(tokens: &[Token<'_>], i: usize) -> bool {
    let before = tokens.get(..i).unwrap_or_default().iter().rev();
    before.take_while(|token| !["|", "with", "=>", "(", ")"].contains(&token.text)).any(|token| token.text == "fun")
}

fn rebuilt(body: &str, tokens: &[Token<'_>], change: impl Fn(&Token<'_>) -> String) -> String {
    let (mut text, mut at) = (String::with_capacity(body.len()), 0);
    for token in tokens {
        text.push_str(body.get(at..token.start).unwrap_or_default());
        text.push_str(&change(token));
        at = token.end;
    }
    text.push_str(body.get(at..).unwrap_or_default());
    text
}

/// The first line that differs, before and after.
fn first_difference(before: &str, after: &str) -> String {
    let strip = |line: Option<&str>| line.unwrap_or_default().trim().to_owned();
    let (mut old, mut new) = (before.lines(), after.lines());
    loop {
        let (left, right) = (old.next(), new.next());
        if left != right || left.is_none() {
            return format!("{}  =>  {}", strip(left), strip(right));
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn shown(text: &str, parameters: &[(&str, &str)], result: &str) -> Vec<String> {
        let parameters = parameters.iter().map(|(name, kind)| ((*name).to_owned(), (*kind).to_owned())).collect();
        let text = format!("Definition f :=\n  {text}.");
        let body = "Definition f :=".len();
        let (file, name, result) = ("File".to_owned(), "f".to_owned(), result.to_owned());
        let function = Function { file, name, text, body, parameters, result };
        let mut library = Library::default();
        library.siblings.insert("key".to_owned(), vec!["next".to_owned()]);
        changes_of(&function, &library).into_iter().map(|change| format!("{}: {}", change.kind, change.shown)).collect()
    }

    #[test]
    fn comparisons_branches_and_results_are_changed() {
        let made = shown("if a <? b then Some a else None", &[("a", "usize"), ("b", "usize")], "Option usize");
        let before = "if a <? b then Some a else None";
        for (kind, after) in [
            ("swap a comparison", "if a <=? b then Some a else None."),
            ("swap the branches", "if negb (a <? b) then Some a else None."),
            ("swap arguments", "if b <? a then Some b else None."),
            ("replace a branch's result", "if a <? b then None else None."),
        ] {
            assert!(made.contains(&format!("{kind}: {before}.  =>  {after}")), "{after} in {made:?}");
        }
    }

    #[test]
    fn fields_loops_and_appended_parts_are_changed() {
        let made =
            shown("{| size := s.(key) + 1; rest := fold_left (fun x i => g x i) (range 0 n) [] |}", &[("s", "S")], "S");
        assert!(
            made.iter().any(
                |one| one.ends_with("{| size := s.(size); rest := fold_left (fun x i => g x i) (range 0 n) [] |}.")
            )
        );
        assert!(made.iter().any(|one| one.contains("range (0 + 1) n")));
        assert!(made.iter().any(|one| one.contains("s.(next) + 1")));
        assert!(made.iter().any(|one| one.contains("s.(key) + 2")));
        let made = shown("a ++ [x] ++ b", &[], "Seq N");
        assert!(made.iter().any(|one| one.ends_with("=>  a  ++ b.")), "{made:?}");
        assert!(made.iter().any(|one| one.ends_with("=>  a ++ [x] .")), "{made:?}");
    }

    #[test]
    fn the_arrow_of_a_function_in_a_loop_is_no_branch() {
        assert!(shown("fold_left (fun x i => g x i) s []", &[], "N").is_empty());
    }
}
