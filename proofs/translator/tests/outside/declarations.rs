//! Declarations, types, imports.

use super::Program;

pub const PROGRAMS: &[Program] = &[
    (
        "an impl",
        "pub struct S {\n    pub x: usize,\n}\nimpl S { //~ an `impl`\n    pub fn f(&self) -> usize {\n        self.x\n    }\n}",
    ),
    ("a trait", "pub trait T { //~ a trait\n    fn f() -> usize;\n}"),
    ("a static", "pub static X: usize = 3; //~ a `static`"),
    ("a type parameter", "pub fn f<T>(x: T) -> T { //~ type parameters or lifetimes\n    x\n}"),
    ("a lifetime", "pub fn f<'a>(x: &'a usize) -> usize { //~ type parameters or lifetimes\n    *x\n}"),
    ("a mutable reference", "pub fn f(\n    x: &mut usize, //~ a mutable reference\n) -> bool {\n    true\n}"),
    (
        "a mutable parameter",
        "pub fn f(\n    mut x: usize, //~ a parameter that is not a plain name\n) -> usize {\n    x = x + 1;\n    x\n}",
    ),
    (
        "a pattern as a parameter",
        "pub fn f(\n    (a, b): (usize, usize), //~ a parameter that is not a plain name\n) -> usize {\n    a + b\n}",
    ),
    ("a function without a result", "pub fn f(x: usize) {} //~ a function without a result"),
    ("a const function", "pub const fn f(x: usize) -> usize { //~ `const`\n    x\n}"),
    ("an unsafe function", "pub unsafe fn f(x: usize) -> usize { //~ `unsafe`\n    x\n}"),
    (
        "conditional compilation",
        "#[cfg(feature = \"fast\")] //~ the attribute `cfg`\npub fn f(x: usize) -> usize {\n    x\n}",
    ),
    (
        "an arm compiled conditionally",
        "pub fn f(x: usize) -> usize {\n    match x {\n        #[cfg(feature = \"fast\")] //~ the attribute `cfg`\n        0 => 1,\n        _ => 2,\n    }\n}",
    ),
    (
        "a loop compiled conditionally",
        "pub fn f(x: usize) -> usize {\n    let mut a = 0;\n    #[cfg(debug_assertions)] //~ the attribute `cfg`\n    for i in 0..x {\n        a = a + i;\n    }\n    a\n}",
    ),
    (
        "a binding compiled conditionally",
        "pub fn f(x: usize) -> usize {\n    #[cfg(test)] //~ the attribute `cfg`\n    let y = 3;\n    x\n}",
    ),
    ("a signed integer", "pub fn f(\n    x: i64, //~ `i64` is not declared\n) -> bool {\n    true\n}"),
    ("a float", "pub fn f(\n    x: f64, //~ `f64` is not declared\n) -> bool {\n    true\n}"),
    (
        "an array",
        "pub fn f(\n    x: [u8; 4], //~ a type that is neither a name, a reference nor a tuple\n) -> bool {\n    true\n}",
    ),
    ("a vector", "pub fn f(\n    x: Vec<u8>, //~ `Vec` with type arguments\n) -> bool {\n    true\n}"),
    ("a tuple struct", "pub struct S(pub usize); //~ a struct without named fields"),
    ("a variant with named fields", "pub enum E {\n    A { x: usize }, //~ a variant with named fields\n}"),
    ("a variant with a number", "pub enum E {\n    A = 3, //~ a variant with a number of its own\n}"),
    ("a type parameter of a struct", "pub struct S<T> { //~ type parameters or lifetimes\n    pub x: T,\n}"),
    (
        "a recursive type",
        "pub struct S {\n    pub inner: Option<S>, //~ `S` is not declared in the specification before it is used\n}",
    ),
    (
        "recursion",
        "pub fn f(x: usize) -> usize {\n    f(x) //~ `f` is not declared in the specification before it is used\n}",
    ),
    (
        "use before declaration",
        "pub fn f(x: usize) -> usize {\n    g(x) //~ `g` is not declared in the specification before it is used\n}\npub fn g(x: usize) -> usize {\n    x\n}",
    ),
    (
        "a function inside a function",
        "pub fn f(x: usize) -> usize {\n    fn g() -> usize { //~ a declaration inside a function\n        3\n    }\n    x\n}",
    ),
    (
        "the standard library",
        "use std::cmp::min; //~ `use` of the crate `std`\npub fn f(x: usize) -> usize {\n    min(x, 3)\n}",
    ),
    (
        "a renamed import",
        "// module: a\npub fn f(x: usize) -> usize {\n    x\n}\n// module: m\nuse crate::a::f as g; //~ `use .. as ..`\npub fn h(x: usize) -> usize {\n    g(x)\n}",
    ),
    (
        "imported variants",
        "// module: a\npub enum E {\n    A,\n}\n// module: m\nuse crate::a::E::*; //~ `use` of something inside a type\npub fn h() -> E {\n    A\n}",
    ),
    (
        "an import of a later module",
        "// module: a\nuse crate::m::*; //~ no module of this name comes before this one\n// module: m\npub fn f() -> usize {\n    3\n}",
    ),
    (
        "a name that is not imported",
        "// module: a\npub fn f(x: usize) -> usize {\n    x\n}\n// module: m\npub fn g(x: usize) -> usize {\n    f(x) //~ `f` of module `a` is not imported here\n}",
    ),
    (
        "a path to a module that stands in another folder",
        "// module: base/a\npub fn f(x: usize) -> usize {\n    x\n}\n// module: m\npub fn g(x: usize) -> usize {\n    crate::a::f(x) //~ leads to no module before this one\n}",
    ),
    (
        "an import of a folder",
        "// module: base/a\npub fn f(x: usize) -> usize {\n    x\n}\n// module: m\nuse crate::base::*; //~ `use crate::base`: no module of this name comes before this one\npub fn g(x: usize) -> usize {\n    a::f(x)\n}",
    ),
    (
        "two modules of one name in two folders",
        "// module: base/a\npub fn f(x: usize) -> usize {\n    x\n}\n// module: upper/mod\npub mod a; //~ `a`: a module, a folder or the prelude has this name already\n// module: upper/a\npub fn g(x: usize) -> usize {\n    x\n}",
    ),
    (
        "a module named like the twins of another",
        "// module: a\npub fn f(x: usize) -> usize {\n    x\n}\n// module: lib\npub mod a;\npub mod a_safe; //~ `a_safe`: a module, a folder or the prelude has this name already\n// module: a_safe\npub fn g(x: usize) -> usize {\n    x\n}",
    ),
    (
        "a function beside the modules of a folder",
        "// module: base/mod\npub mod a;\npub fn f(x: usize) -> usize { //~ something other than `mod name;` in base/mod.rs\n    x\n}\n// module: base/a\npub fn g(x: usize) -> usize {\n    x\n}",
    ),
    (
        "a file and a folder of one name",
        "// module: lib\npub mod a; //~ `a` is a file and a folder\n// module: a\npub fn f(x: usize) -> usize {\n    x\n}\n// module: a/b\npub fn g(x: usize) -> usize {\n    x\n}",
    ),
    (
        "a module inside a file",
        "mod inner { //~ a module inside a file\n    pub fn f() -> usize {\n        3\n    }\n}",
    ),
    ("another macro", "macro_rules! m { //~ a macro other than `public_nat_mod!`\n    () => {};\n}"),
    (
        "a field that is not called Scalar",
        "public_nat_mod!( //~ a field whose type is not called `Scalar`\n    type_name: Field,\n    type_of_canvas: Canvas,\n    bit_size_of_field: 256,\n    modulo_value: \"7f\"\n);",
    ),
    ("a constant without a name", "const _: () = {}; //~ a constant without a name that is not an assertion"),
    ("not Rust", "pub fn f( -> usize { //~ not Rust"),
];
