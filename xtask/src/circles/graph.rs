//! Which files reach each other by imports.

use std::collections::BTreeSet;
use std::path::PathBuf;

/// The files of a crate, and which of them imports which, by their places in the list.
pub struct Imports {
    /// The files.
    pub files: Vec<PathBuf>,
    /// Importer and imported.
    pub edges: BTreeSet<(usize, usize)>,
}

/// Files that all reach each other, each with those of them that it imports.
pub struct Circle(Vec<(PathBuf, Vec<PathBuf>)>);

impl Circle {
    /// Each file, and those of the circle that it imports.
    pub fn files(&self) -> impl Iterator<Item = (&PathBuf, &Vec<PathBuf>)> {
        self.0.iter().map(|(file, imports)| (file, imports))
    }
}

/// The circles: the strongly connected parts of more than one file.
pub fn circles(imports: &Imports) -> Vec<Circle> {
    let reached: Vec<BTreeSet<usize>> = (0..imports.files.len()).map(|file| reached(imports, file)).collect();
    let reaches = |a: usize, b: usize| reached.get(a).is_some_and(|reached| reached.contains(&b));
    let mut circles = Vec::new();
    let mut seen = BTreeSet::new();
    for file in 0..imports.files.len() {
        let members: Vec<usize> =
            (0..imports.files.len()).filter(|other| reaches(file, *other) && reaches(*other, file)).collect();
        if members.len() > 1 && seen.insert(members.clone()) {
            circles.push(circle(imports, &members));
        }
    }
    circles
}

/// All files that this one imports, directly or through others.
fn reached(imports: &Imports, file: usize) -> BTreeSet<usize> {
    let (mut reached, mut open) = (BTreeSet::new(), vec![file]);
    while let Some(next) = open.pop() {
        for (_, imported) in imports.edges.range((next, 0)..=(next, usize::MAX)) {
            if reached.insert(*imported) {
                open.push(*imported);
            }
        }
    }
    reached
}

fn circle(imports: &Imports, members: &[usize]) -> Circle {
    let path = |file: usize| imports.files.get(file).cloned().unwrap_or_default();
    let imported = |file: usize| {
        let inside = members.iter().filter(|other| **other != file && imports.edges.contains(&(file, **other)));
        inside.map(|other| path(*other)).collect()
    };
    Circle(members.iter().map(|member| (path(*member), imported(*member))).collect())
}
