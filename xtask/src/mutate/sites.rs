//! Where a function of the specification can be mutated, and into what.
//!
//! A mutation replaces the text of one expression. Mutations of a function are numbered by operator
//! in the order of the text, before any is left out because it does not type-check, so that a
//! number stays that of its mutation for as long as the function stays as it is.

use std::collections::BTreeMap;
use std::ops::Range;

use syn::spanned::Spanned;
use syn::visit::Visit;

use crate::mutate::finder::{Finder, Found};
use crate::mutate::operators;
use crate::mutate::specification::{SourceFile, Specification};

/// A mutation of one expression of a function.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Mutant {
    /// `function.operator.number`, which nothing else in the specification has.
    pub id: String,
    /// The file below `spec/src`.
    pub file: String,
    /// The function.
    pub function: String,
    /// The kind of change.
    pub operator: &'static str,
    /// The bytes of the file that are replaced: an expression.
    pub range: Range<usize>,
    /// What stands there instead.
    pub to: String,
    /// Whether what is replaced is a block, which must remain one.
    pub block: bool,
}

impl Mutant {
    /// The file's text with this mutation.
    pub fn applied(&self, text: &str) -> String {
        let (before, after) = (text.get(..self.range.start), text.get(self.range.end..));
        let to = if self.block { format!("{{ {} }}", self.to) } else { format!("({})", self.to) };
        format!("{}{to}{}", before.unwrap_or_default(), after.unwrap_or_default())
    }

    /// `from → to`, on one line.
    pub fn change(&self, text: &str) -> String {
        let line = |text: &str| text.split_whitespace().collect::<Vec<_>>().join(" ");
        format!("{} → {}", line(text.get(self.range.clone()).unwrap_or_default()), line(&self.to))
    }
}

/// All mutations of a file, in the order of its functions.
pub fn mutants_of(specification: &Specification, file: &SourceFile) -> Vec<Mutant> {
    let mut mutants = Vec::new();
    for item in &file.syntax.items {
        let syn::Item::Fn(function) = item else { continue };
        let name = function.sig.ident.to_string();
        let Some(signature) = specification.functions.get(&name) else { continue };
        let mut finder = Finder { specification, signature, text: &file.text, found: Vec::new(), anchor: None };
        operators::whole_function(&mut finder, function);
        finder.visit_block(&function.block);
        let mut numbers: BTreeMap<&str, usize> = BTreeMap::new();
        for Found { operator, range, to, block } in finder.found {
            let number = numbers.entry(operator).or_default();
            *number += 1;
            let id = format!("{name}.{operator}.{number}");
            mutants.push(Mutant { id, file: file.name.clone(), function: name.clone(), operator, range, to, block });
        }
    }
    mutants
}

impl<'ast> Visit<'ast> for Finder<'_> {
    fn visit_expr(&mut self, found: &'ast syn::Expr) {
        let anchor = self.anchor.take();
        let own = found.span().byte_range();
        match found {
            syn::Expr::Reference(reference) => visit_anchored(self, &reference.expr, Some(own)),
            syn::Expr::Paren(inner) => visit_anchored(self, &inner.expr, anchor),
            syn::Expr::MethodCall(call) => {
                operators::method_call(self, call);
                visit_anchored(self, &call.receiver, Some(own));
                call.args.iter().for_each(|argument| self.visit_expr(argument));
            }
            syn::Expr::Field(field) => {
                let anchor = anchor.unwrap_or(own);
                for (member, sibling) in operators::siblings(self, field) {
                    let to = self.with_parts(&anchor, &[(member, sibling)]);
                    self.note("field", anchor.clone(), to, false);
                }
                visit_anchored(self, &field.base, Some(anchor));
            }
            syn::Expr::Index(index) => {
                visit_anchored(self, &index.expr, Some(anchor.unwrap_or(own)));
                self.visit_expr(&index.index);
            }
            _ => {
                operators::expression(self, found);
                syn::visit::visit_expr(self, found);
            }
        }
    }

    /// A literal in a pattern is no expression that could be chosen at run time.
    fn visit_pat(&mut self, _: &'ast syn::Pat) {}

    fn visit_type(&mut self, _: &'ast syn::Type) {}
}

/// Visits a place, or what may be one, of which this expression makes a value.
fn visit_anchored(finder: &mut Finder<'_>, place: &syn::Expr, anchor: Option<Range<usize>>) {
    let outer = std::mem::replace(&mut finder.anchor, anchor);
    finder.visit_expr(place);
    finder.anchor = outer;
}

#[cfg(test)]
mod tests {
    use super::*;

    const TEXT: &str = "pub struct Slot { pub key: u8, pub next: u8, pub size: usize }\n\
        pub enum Why { First, Second }\n\
        pub fn put(slots: Seq<Slot>, p: usize) -> Seq<Slot> { slots }\n\
        pub fn judge(slot: &Slot, n: usize) -> Result<(), Why> {\n\
        \x20   if slot.key.clone() < 3 && n + 1 == 2 { Err(Why::First) } else { Ok(()) }\n}\n\
        pub fn step(slots: Seq<Slot>, p: usize) -> Seq<Slot> { put(slots, p - 1) }\n";

    fn ids(name: &str) -> Vec<(String, String)> {
        let mut specification = Specification::default();
        specification.add("file.rs".to_owned(), TEXT.to_owned()).unwrap();
        let all = mutants_of(&specification, &specification.files[0]);
        let of = all.into_iter().filter(|mutant| mutant.function == name);
        of.map(|mutant| (mutant.id.clone(), mutant.change(TEXT))).collect()
    }

    #[test]
    fn every_operator_finds_its_expressions() {
        let found = ids("judge");
        for (id, change) in [
            ("judge.compare.1", "slot.key.clone() < 3 → slot.key.clone() <= 3"),
            ("judge.compare.2", "n + 1 == 2 → n + 1 != 2"),
            ("judge.arithmetic.1", "n + 1 → n - 1"),
            ("judge.field.1", "slot.key.clone() → slot.next.clone()"),
            ("judge.constant.1", "3 → 4"),
            ("judge.logic.1", "slot.key.clone() < 3 && n + 1 == 2 → slot.key.clone() < 3 || n + 1 == 2"),
            ("judge.variant.1", "Why::First → Why::Second"),
            ("judge.condition.1", "slot.key.clone() < 3 && n + 1 == 2 → true"),
        ] {
            assert!(found.contains(&(id.to_owned(), change.to_owned())), "{id}: {found:?}");
        }
        assert!(ids("step").contains(&("step.drop.1".to_owned(), "put(slots, p - 1) → slots".to_owned())));
    }

    #[test]
    fn a_mutation_replaces_its_expression_only() {
        let mut specification = Specification::default();
        specification.add("file.rs".to_owned(), TEXT.to_owned()).unwrap();
        let all = mutants_of(&specification, &specification.files[0]);
        let mutant = all.iter().find(|mutant| mutant.id == "judge.arithmetic.1").unwrap();
        assert_eq!(mutant.applied(TEXT), TEXT.replace("n + 1", "(n - 1)"));
        let mut ids: Vec<&String> = all.iter().map(|mutant| &mutant.id).collect();
        ids.sort();
        ids.dedup();
        assert_eq!(ids.len(), all.len());
    }
}
