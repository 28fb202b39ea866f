//! The specification with all mutations at once, each behind a switch: one program is built for
//! all, and a variable of the environment says which of them it runs with.

use std::ops::Range;

use crate::mutate::sites::Mutant;

/// The variable that holds the number of the mutation to run with.
pub const CHOSEN: &str = "AARDVARK_MUTANT";
/// The variable that names a file into which the program writes the numbers of the mutations that
/// it comes past, where none is chosen.
pub const REACHED: &str = "AARDVARK_MUTANTS_REACHED";

/// There are fewer mutations than this.
const MOST: usize = 1 << 16;

/// A source file with switches.
pub struct Switched {
    /// Its text.
    pub text: String,
    /// Where each mutation stands in it, by number.
    branches: Vec<(Range<usize>, usize)>,
}

/// Puts mutations, numbered, into the text of their file.
pub fn switched(text: &str, mutants: &[(usize, &Mutant)]) -> Switched {
    let mut sorted = mutants.to_vec();
    sorted.sort_by_key(|(number, mutant)| (mutant.range.start, usize::MAX - mutant.range.end, *number));
    let mut file = Switched { text: String::new(), branches: Vec::new() };
    file.write(text, 0..text.len(), &sorted);
    file
}

impl Switched {
    /// Writes a part of the source with its mutations, outer ones first in the list.
    fn write(&mut self, source: &str, part: Range<usize>, mutants: &[(usize, &Mutant)]) {
        let (mut at, mut rest) = (part.start, mutants);
        while let Some((_, first)) = rest.first() {
            let range = first.range.clone();
            let same = rest.iter().take_while(|(_, mutant)| mutant.range == range).count();
            let inside = rest.iter().skip(same).take_while(|(_, mutant)| mutant.range.start < range.end).count();
            self.text += source.get(at..range.start).unwrap_or_default();
            self.text += if first.block { "{ (" } else { "(" };
            for (number, mutant) in rest.iter().take(same) {
                self.text += &format!("if crate::mutation::on({number}) {{ ");
                let begin = self.text.len();
                self.text += &mutant.to;
                self.branches.push((begin..self.text.len(), *number));
                self.text += " } else ";
            }
            self.text += "{ ";
            self.write(source, range.clone(), rest.get(same..same + inside).unwrap_or_default());
            self.text += if first.block { " }) }" } else { " })" };
            at = range.end;
            rest = rest.get(same + inside..).unwrap_or_default();
        }
        self.text += source.get(at..part.end).unwrap_or_default();
    }

    /// The mutation that a compiler's error is about, which it says of these bytes, the principal
    /// ones first; none where no mutation stands there.
    pub fn at_fault(&self, places: &[Range<usize>]) -> Option<usize> {
        let inside = |place: &Range<usize>| {
            let around = self.branches.iter().filter(|(range, _)| range.start <= place.start && place.end <= range.end);
            around.min_by_key(|(range, _)| range.len()).map(|(_, number)| *number)
        };
        let over = |place: &Range<usize>| {
            let covered =
                self.branches.iter().filter(|(range, _)| place.start <= range.start && range.end <= place.end);
            covered.max_by_key(|(range, _)| range.len()).map(|(_, number)| *number)
        };
        places.iter().find_map(inside).or_else(|| places.iter().find_map(over))
    }
}

/// The module `mutation` of the specification with switches.
pub fn module() -> String {
    format!(
        r#"
/// Which mutation the specification runs with.
pub mod mutation {{
    use std::io::Write;
    use std::sync::{{Mutex, OnceLock}};
    use std::sync::atomic::{{AtomicBool, AtomicU32, Ordering}};

    const UNREAD: u32 = u32::MAX;
    const RECORDS: u32 = u32::MAX - 1;
    const NONE: u32 = u32::MAX - 2;
    static CHOSEN: AtomicU32 = AtomicU32::new(UNREAD);

    /// Whether this one is chosen.
    pub fn on(number: u32) -> bool {{
        let chosen = CHOSEN.load(Ordering::Relaxed);
        if chosen < NONE || chosen == NONE {{
            chosen == number
        }} else {{
            slowly(number)
        }}
    }}

    #[cold]
    fn slowly(number: u32) -> bool {{
        if CHOSEN.load(Ordering::Relaxed) == UNREAD {{
            let recorded = std::env::var_os("{REACHED}").is_some();
            let chosen = std::env::var("{CHOSEN}").ok().and_then(|text| text.parse().ok());
            CHOSEN.store(chosen.unwrap_or(if recorded {{ RECORDS }} else {{ NONE }}), Ordering::Relaxed);
            return on(number);
        }}
        // Most are passed millions of times.
        static SEEN: [AtomicBool; {MOST}] = [const {{ AtomicBool::new(false) }}; {MOST}];
        let seen = &SEEN[number as usize];
        if seen.load(Ordering::Relaxed) || seen.swap(true, Ordering::Relaxed) {{
            return false;
        }}
        static NOTES: OnceLock<Mutex<std::fs::File>> = OnceLock::new();
        let notes = NOTES.get_or_init(|| {{
            let path = std::env::var_os("{REACHED}").expect("a file's name");
            Mutex::new(std::fs::File::create(path).expect("a file"))
        }});
        writeln!(notes.lock().expect("nobody panics here"), "{{number}}").expect("the file can be written");
        false
    }}
}}
"#
    )
}

#[cfg(test)]
mod tests {
    use super::*;

    fn mutant(operator: &'static str, range: Range<usize>, to: &str, block: bool) -> Mutant {
        let (file, function) = ("file.rs".to_owned(), "f".to_owned());
        Mutant { id: operator.to_owned(), file, function, operator, range, to: to.to_owned(), block }
    }

    #[test]
    fn mutations_of_parts_stand_inside_those_of_the_whole() {
        let text = "fn f() { a + b * c }";
        let whole = mutant("arithmetic", 9..18, "a - b * c", false);
        let [first, second] = [mutant("arithmetic", 13..18, "b + c", false), mutant("drop", 13..18, "b", false)];
        let found = switched(text, &[(7, &whole), (8, &first), (9, &second)]);
        let inner = "(if crate::mutation::on(8) { b + c } else if crate::mutation::on(9) { b } else { b * c })";
        let expected = format!("fn f() {{ (if crate::mutation::on(7) {{ a - b * c }} else {{ a + {inner} }}) }}");
        assert_eq!(found.text, expected);
        let at = found.text.find("{ b }").unwrap() + 2;
        assert_eq!(found.at_fault(&[0..1, at..at + 1]), Some(9));
        assert_eq!(found.at_fault(std::slice::from_ref(&(0..found.text.len()))), Some(7));
        assert_eq!(found.at_fault(std::slice::from_ref(&(0..1))), None);
    }

    #[test]
    fn a_block_remains_one() {
        let text = "match x { A => { b } C => { d } }";
        let found = switched(text, &[(0, &mutant("arm", 15..20, "{ d }", true))]);
        let expected = "match x { A => { (if crate::mutation::on(0) { { d } } else { { b } }) } C => { d } }";
        assert_eq!(found.text, expected);
    }
}
