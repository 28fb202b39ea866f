//! Expressions, statements, patterns.

use super::Program;

pub const PROGRAMS: &[Program] = &[
    ("a closure", "pub fn f(x: usize) -> usize {\n    let g = |y: usize| y + 1; //~ a closure\n    g(x)\n}"),
    (
        "while",
        "pub fn f(x: usize) -> usize {\n    let mut y = x;\n    while y > 3 { //~ `while`\n        y = y - 1;\n    }\n    y\n}",
    ),
    ("loop", "pub fn f(x: usize) -> usize {\n    loop { //~ `loop`\n        break x;\n    }\n}"),
    (
        "an early return",
        "pub fn f(x: usize) -> usize {\n    if x > 3 {\n        return 3; //~ an early `return`\n    }\n    x\n}",
    ),
    (
        "break",
        "pub fn f(x: usize) -> usize {\n    let mut y = 0;\n    for i in 0..x {\n        break; //~ `break` or `continue`\n    }\n    y\n}",
    ),
    (
        "a loop over elements",
        "use hacspec_lib::*;\npub fn f(s: &Seq<u8>) -> u8 {\n    let mut y = 0;\n    for x in s.iter() { //~ a loop over something other than `from..to`\n        y = *x;\n    }\n    y\n}",
    ),
    (
        "an inclusive range",
        "pub fn f(n: usize) -> usize {\n    let mut y = 0;\n    for i in 0..=n { //~ a loop over something other than `from..to`\n        y = y + i;\n    }\n    y\n}",
    ),
    (
        "a loop in a loop",
        "pub fn f(n: usize) -> usize {\n    let mut y = 0;\n    for i in 0..n {\n        for j in 0..i { //~ a loop in a loop's body\n            y = y + j;\n        }\n    }\n    y\n}",
    ),
    (
        "two accumulators",
        "pub fn f(n: usize) -> usize {\n    let mut a = 0;\n    let mut b = 0;\n    for i in 0..n {\n        a = a + i; //~ an assignment in a loop's body that is not its last statement\n        b = b + a;\n    }\n    b\n}",
    ),
    (
        "a condition in a loop",
        "pub fn f(n: usize) -> usize {\n    let mut a = 0;\n    for i in 0..n {\n        if i > 3 {\n            a = i; //~ an assignment to `a` from inside a branch\n        }\n    }\n    a\n}",
    ),
    (
        "an assignment by an operator",
        "pub fn f(n: usize) -> usize {\n    let mut a = n;\n    a += 1; //~ an assignment by an operator\n    a\n}",
    ),
    (
        "an assignment to a field",
        "pub struct S {\n    pub x: usize,\n}\npub fn f(n: usize) -> S {\n    let mut s = S { x: n };\n    s.x = 3; //~ an assignment to something that is not a variable\n    s\n}",
    ),
    (
        "an assignment to an element",
        "use hacspec_lib::*;\npub fn f(n: usize) -> Seq<u8> {\n    let mut s = Seq::<u8>::new(n);\n    s[0] = 3; //~ an assignment to something that is not a variable\n    s\n}",
    ),
    (
        "a value thrown away",
        "pub fn f(n: usize) -> usize {\n    n + 1; //~ a statement whose value is thrown away\n    n\n}",
    ),
    (
        "a binding without a value",
        "pub fn f(n: usize) -> usize {\n    let y; //~ a binding without a value\n    y = n;\n    y\n}",
    ),
    (
        "let else",
        "pub fn f(n: Option<usize>) -> usize {\n    let Some(y) = n else { return 3 }; //~ `let .. else`\n    y\n}",
    ),
    ("if let", "pub fn f(n: Option<usize>) -> usize {\n    if let Some(y) = n { y } else { 3 } //~ `if let`\n}"),
    ("if without else", "pub fn f(n: usize) -> usize {\n    let y = if n > 3 { n }; //~ `if` without `else`\n    y\n}"),
    (
        "a guard",
        "pub fn f(n: usize) -> usize {\n    match n {\n        y if y > 3 => 3, //~ a guard in a `match`\n        y => y,\n    }\n}",
    ),
    (
        "a range in a pattern",
        "pub fn f(n: usize) -> usize {\n    match n {\n        0..=5 => 3, //~ a range in a pattern\n        _ => 4,\n    }\n}",
    ),
    (
        "an at-pattern",
        "pub fn f(n: usize) -> usize {\n    match n {\n        y @ 5 => y, //~ `@` in a pattern\n        _ => 4,\n    }\n}",
    ),
    (
        "a struct pattern",
        "pub struct S {\n    pub x: usize,\n}\npub fn f(s: &S) -> usize {\n    let S { x: y } = s; //~ a struct pattern\n    *y\n}",
    ),
    (
        "the rest of a record",
        "pub struct S {\n    pub x: usize,\n    pub y: usize,\n}\npub fn f(s: S) -> S {\n    S { x: 3, ..s } //~ the rest of a record\n}",
    ),
    ("a field of a tuple", "pub fn f(p: (usize, usize)) -> usize {\n    p.0 //~ a field of a tuple by its number\n}"),
    ("a macro", "pub fn f(n: usize) -> usize {\n    assert!(n > 3); //~ a macro\n    n\n}"),
    ("matches", "pub fn f(n: Option<usize>) -> bool {\n    matches!(n, None) //~ a macro\n}"),
    ("bits", "pub fn f(n: usize) -> usize {\n    n & 3 //~ an operation on bits\n}"),
    ("a shift", "pub fn f(n: usize) -> usize {\n    n << 3 //~ an operation on bits\n}"),
    ("the complement of bits", "pub fn f(n: usize) -> usize {\n    !n //~ the types usize and bool do not agree\n}"),
    ("a negative number", "pub fn f(n: usize) -> bool {\n    n == -3 //~ a negative number\n}"),
    (
        "a string",
        "pub fn f(n: usize) -> bool {\n    let s = \"text\"; //~ a literal that is neither a number, a byte nor a boolean\n    true\n}",
    ),
    (
        "a cast of a boolean",
        "pub fn f(n: bool) -> usize {\n    n as usize //~ an integer stands where bool is wanted\n}",
    ),
    ("a cast to a signed integer", "pub fn f(n: usize) -> bool {\n    n as i64 == 3 //~ `i64` is not declared\n}"),
    (
        "a method of integers",
        "pub fn f(n: usize) -> usize {\n    n.wrapping_add(3) //~ the method `wrapping_add` of usize\n}",
    ),
    (
        "a method of options",
        "pub fn f(n: Option<usize>) -> usize {\n    n.unwrap() //~ the method `unwrap` of Option<usize>\n}",
    ),
    (
        "a method of sequences",
        "use hacspec_lib::*;\npub fn f(s: &Seq<u8>) -> bool {\n    s.contains(&3) //~ the method `contains` of Seq<u8>\n}",
    ),
    ("an associated function", "pub fn f(n: usize) -> usize {\n    usize::max(n, 3) //~ the function `usize::max`\n}"),
    (
        "a function as a value",
        "pub fn g(n: usize) -> usize {\n    n\n}\npub fn f(n: usize) -> usize {\n    let h = g; //~ the function `g` as a value\n    n\n}",
    ),
    (
        "equality of sequences",
        "use hacspec_lib::*;\npub fn f(a: &Seq<u8>, b: &Seq<u8>) -> bool {\n    a == b //~ this operator on Seq<u8>\n}",
    ),
    (
        "equality of records",
        "#[derive(PartialEq)]\npub struct S {\n    pub x: usize,\n}\npub fn f(a: &S, b: &S) -> bool {\n    a == b //~ this operator on S\n}",
    ),
    ("order of booleans", "pub fn f(a: bool, b: bool) -> bool {\n    a < b //~ this operator on bool\n}"),
    ("an array as a value", "pub fn f(n: u8) -> bool {\n    let s = [n, n]; //~ an array\n    true\n}"),
    (
        "elements that are computed",
        "use hacspec_lib::*;\npub fn f(s: &Seq<u8>) -> Seq<u8> {\n    Seq::<u8>::from_native_slice(s) //~ of something that is not written out\n}",
    ),
];
