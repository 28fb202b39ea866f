//! What would translate, into something of another meaning.

use super::Program;

pub const PROGRAMS: &[Program] = &[
    (
        "a mutable name shadowed in a branch",
        "pub fn f(n: usize) -> usize {\n    let mut a = n;\n    if n > 3 {\n        let a = 5; //~ `a` shadows a variable\n        a + n\n    } else {\n        a\n    }\n}",
    ),
    (
        "a mutable name assigned in a branch",
        "pub fn f(n: usize) -> usize {\n    let mut a = n;\n    let b = if n > 3 {\n        a = 5; //~ an assignment to `a` from inside a branch\n        1\n    } else {\n        2\n    };\n    a + b\n}",
    ),
    (
        "a mutable name assigned in a block",
        "pub fn f(n: usize) -> usize {\n    let mut a = n;\n    let b = {\n        a = 5; //~ an assignment to `a` from inside a branch or a block\n        1\n    };\n    a + b\n}",
    ),
    (
        "a mutable name shadowed in a pattern",
        "pub fn f(n: Option<usize>) -> usize {\n    let mut a = 3;\n    match n {\n        Some(a) => a, //~ `a` shadows a variable\n        None => a,\n    }\n}",
    ),
    (
        "a name shadowed in a line",
        "pub fn f(n: usize) -> usize {\n    let a = n;\n    let a = a + 1; //~ `a` shadows a variable\n    a\n}",
    ),
    ("a parameter shadowed", "pub fn f(n: usize) -> usize {\n    let n = 5; //~ `n` shadows a variable\n    n\n}"),
    (
        "an index that shadows",
        "pub fn f(i: usize) -> usize {\n    let mut a = 0;\n    for i in 0..3 { //~ `i` shadows a variable\n        a = a + i;\n    }\n    a + i\n}",
    ),
    ("two parameters of a name", "pub fn f(a: usize, a: usize) -> usize { //~ `a` shadows a variable\n    a\n}"),
    (
        "an assignment to what is not mutable",
        "pub fn f(n: usize) -> usize {\n    let a = n;\n    a = 3; //~ which is not declared by `let mut`\n    a\n}",
    ),
    (
        "a parameter named like a constant",
        "// module: a\npub const limit: usize = 1000;\n// module: m\npub fn next(limit: usize) -> usize { //~ the variable `limit` has the name of the constant\n    limit + crate::a::limit\n}",
    ),
    (
        "an upper-case parameter named like a constant",
        "// module: a\npub const LIMIT: usize = 1000;\n// module: m\npub fn next(LIMIT: usize) -> usize { //~ the variable `LIMIT` has the name of the constant\n    LIMIT + crate::a::LIMIT\n}",
    ),
    (
        "a variable named like a function",
        "// module: a\npub fn base() -> usize {\n    1000\n}\n// module: m\npub fn next(n: usize) -> usize {\n    let base = n; //~ the variable `base` has the name of the function\n    base + crate::a::base()\n}",
    ),
    (
        "a loop's index named like a function",
        "pub fn step(acc: usize, n: usize) -> usize {\n    acc + n\n}\npub fn f(n: usize) -> usize {\n    let mut acc = 0;\n    for step in 0..n { //~ the variable `step` has the name of the function\n        acc = acc + step;\n    }\n    acc\n}",
    ),
    (
        "a variable of a pattern named like a function",
        "pub fn found() -> usize {\n    3\n}\npub fn f(n: Option<usize>) -> usize {\n    match n {\n        Some(found) => found + self::found(), //~ the variable `found` has the name of the function\n        None => 0,\n    }\n}",
    ),
    (
        "a variant in lower case",
        "pub enum Color {\n    red, //~ `red`: an enum or a variant that does not begin in upper case\n    green,\n}\npub fn f(Color_red: usize) -> usize {\n    Color_red\n}",
    ),
    (
        "an enum in lower case, whose variants patterns could name",
        "pub enum color { //~ `color`: an enum or a variant that does not begin in upper case\n    Red,\n    Green,\n}\npub fn f(n: usize) -> usize {\n    match n {\n        color_Red => color_Red,\n    }\n}",
    ),
    (
        "a variable named like a variant in Coq",
        "pub enum Color {\n    Red,\n    Green,\n}\npub fn f(n: usize) -> usize {\n    let Color_Red = n; //~ `Color_Red` in a pattern\n    3\n}",
    ),
    (
        "an index of numbers alone, which rustc takes for `i32`",
        "use hacspec_lib::*;\npub fn f(s: &Seq<usize>) -> usize {\n    s[2 - 3 + 3] //~ an index whose type is not determined before it is used\n}",
    ),
    (
        "an index by a variable of no determined type",
        "use hacspec_lib::*;\npub fn f(s: &Seq<usize>) -> usize {\n    let k = 1;\n    s[k - 2 + 3] //~ an index whose type is not determined before it is used\n}",
    ),
    (
        "an index that overflows `i32`",
        "use hacspec_lib::*;\npub fn f(s: &Seq<usize>) -> usize {\n    let most = 2147483647;\n    s[most + 1 - most] //~ an index whose type is not determined before it is used\n}",
    ),
    (
        "an index by a loop's index of no determined type",
        "use hacspec_lib::*;\npub fn f(s: &Seq<usize>) -> usize {\n    let mut sum = 0;\n    for i in 0..2 {\n        sum = sum + s[i]; //~ an index whose type is not determined before it is used\n    }\n    sum\n}",
    ),
    (
        "a number beyond `i32` as an index",
        "use hacspec_lib::*;\npub fn f(s: &Seq<usize>) -> usize {\n    s[2147483648] //~ an index whose type is not determined before it is used\n}",
    ),
    (
        "a capacity that may underflow",
        "use hacspec_lib::*;\npub fn f(a: usize, b: usize) -> Seq<u8> {\n    Seq::<u8>::with_capacity(a - b) //~ `with_capacity` of something other than a small number\n}",
    ),
    (
        "a capacity behind an index",
        "use hacspec_lib::*;\npub fn f(s: &Seq<Seq<u8>>) -> Seq<u8> {\n    Seq::<u8>::with_capacity(s[3].len()) //~ `with_capacity` of something other than a small number\n}",
    ),
    (
        "a slice of no elements",
        "use hacspec_lib::*;\npub fn f(s: &Seq<u8>) -> Seq<u8> {\n    s.slice(10, 0) //~ a slice of no elements: hacspec checks its range in debug builds only\n}",
    ),
    (
        "a constant in a pattern",
        "pub const ZERO: usize = 0;\npub fn f(n: usize) -> bool {\n    match n {\n        ZERO => true, //~ `ZERO` in a pattern: a constant is compared there\n        _ => false,\n    }\n}",
    ),
    (
        "what looks like a constant in a pattern",
        "pub fn f(n: usize) -> bool {\n    match n {\n        ZERO => true, //~ `ZERO` in a pattern: a constant is compared there\n    }\n}",
    ),
    (
        "a constant of another module in a pattern",
        "// module: a\npub const ZERO: usize = 0;\n// module: m\npub fn f(n: usize) -> bool {\n    match n {\n        crate::a::ZERO => true, //~ `a` is not declared\n        _ => false,\n    }\n}",
    ),
    (
        "`?` within a call",
        "pub fn g(n: usize) -> Option<usize> {\n    Some(n)\n}\npub fn h(a: usize, b: usize) -> usize {\n    a + b\n}\npub fn f(n: usize) -> Option<usize> {\n    Some(h(g(n)?, g(n)?)) //~ `?` within an expression\n}",
    ),
    (
        "`?` within a sum",
        "pub fn g(n: usize) -> Option<usize> {\n    Some(n)\n}\npub fn f(n: usize) -> Option<usize> {\n    let x = 1 / n + g(n)?; //~ `?` within an expression\n    Some(x)\n}",
    ),
    (
        "`?` behind `&&`",
        "pub fn g(n: usize) -> Option<bool> {\n    None\n}\npub fn f(n: usize) -> Option<bool> {\n    let x = n > 3 && g(n)?; //~ `?` within an expression\n    Some(x)\n}",
    ),
    (
        "`?` in a branch that is not the function's value",
        "pub fn g(n: usize) -> Option<usize> {\n    None\n}\npub fn f(n: usize) -> Option<usize> {\n    let x = if n > 3 {\n        let y = g(n)?; //~ `?` in a block whose value is not the function's value\n        y\n    } else {\n        3\n    };\n    Some(x)\n}",
    ),
    (
        "`?` in a loop",
        "pub fn g(n: usize) -> Option<usize> {\n    None\n}\npub fn f(n: usize) -> Option<usize> {\n    let mut a = 0;\n    for i in 0..n {\n        a = g(i)?; //~ `?` within an expression\n    }\n    Some(a)\n}",
    ),
    (
        "`?` in a loop's binding",
        "pub fn g(n: usize) -> Option<usize> {\n    None\n}\npub fn f(n: usize) -> Option<usize> {\n    let mut a = 0;\n    for i in 0..n {\n        let b = g(i)?; //~ `?` within an expression\n        a = b;\n    }\n    Some(a)\n}",
    ),
    (
        "`?` that converts an error",
        "pub enum A {\n    A1,\n}\npub enum B {\n    B1,\n}\npub fn g(n: usize) -> Result<usize, A> {\n    Ok(n)\n}\npub fn f(n: usize) -> Result<usize, B> {\n    let x = g(n)?; //~ the types A and B do not agree\n    Ok(x)\n}",
    ),
    (
        "`?` from an option to a result",
        "pub fn g(n: usize) -> Option<usize> {\n    Some(n)\n}\npub fn f(n: usize) -> Result<usize, bool> {\n    let x = g(n)?; //~ `?` on Option<usize> in a function that returns Result<usize, bool>\n    Ok(x)\n}",
    ),
    (
        "two functions of a name in two modules",
        "// module: kzg\npub fn verify(n: usize) -> bool {\n    n > 3\n}\n// module: libert_yung\npub fn verify(n: usize) -> bool { //~ the function `verify`: the function at kzg.rs:1 has that name already\n    n > 4\n}",
    ),
    (
        "a qualifier that names another module",
        "// module: a\npub fn f(n: usize) -> bool {\n    n > 3\n}\n// module: b\npub fn g(n: usize) -> bool {\n    n > 4\n}\n// module: m\npub fn h(n: usize) -> bool {\n    crate::b::f(n) //~ `b::f`: the only `f` known is that of `a`\n}",
    ),
    (
        "two structs with a field of one name",
        "pub struct A {\n    pub x: usize,\n}\npub struct B {\n    pub x: usize, //~ the field of `A` at m.rs:2 has that name already\n}",
    ),
    (
        "a function with the name of a field",
        "pub struct A {\n    pub size: usize,\n}\npub fn size(a: &A) -> usize { //~ the function `size`: the field of `A`\n    a.size\n}",
    ),
    (
        "a variable with the name of a field",
        "pub struct A {\n    pub size: usize,\n}\npub fn f(a: &A) -> usize {\n    let size = 3; //~ has the name of a field, which it would hide\n    size + a.size\n}",
    ),
    (
        "a parameter with the name of a field",
        "pub struct A {\n    pub size: usize,\n}\npub fn f(a: &A, size: usize) -> usize { //~ has the name of a field, which it would hide\n    size + a.size\n}",
    ),
    (
        "a function with the name of a type",
        "pub struct Slot {\n    pub x: usize,\n}\npub fn Slot(n: usize) -> usize { //~ the function `Slot`: the type\n    n\n}",
    ),
    (
        "two variants that would have one name",
        "pub enum A_B {\n    C,\n}\npub enum A {\n    B_C, //~ the variant `A_B_C`: the variant at m.rs:2 has that name already\n}",
    ),
    (
        "a name of the prelude",
        "pub fn seq_at(n: usize) -> usize { //~ `seq_at` has a meaning of its own in the generated text\n    n\n}",
    ),
    (
        "a variable with a name of the prelude",
        "pub fn f(n: usize) -> usize {\n    let negb = n; //~ `negb` has a meaning of its own in the generated text\n    negb\n}",
    ),
    (
        "a name that a twin would have",
        "pub fn f_safe(n: usize) -> usize { //~ ends like a name that the translator makes\n    n\n}",
    ),
    ("a raw name", "pub fn f(r#type: usize) -> usize { //~ is a raw identifier\n    r#type\n}"),
    ("a name with an accent", "pub fn f(é: usize) -> usize { //~ is not written in ASCII\n    é\n}"),
    (
        "an integer of no type",
        "pub fn f(n: usize) -> bool {\n    let x = 3; //~ the integer type of 3 is not determined\n    n == 0\n}",
    ),
    (
        "a loop over integers of no type",
        "pub fn f(n: usize) -> usize {\n    let mut a = n;\n    for _i in 0..3 { //~ the integer type of 0 is not determined\n        a = a + 1;\n    }\n    a\n}",
    ),
    ("a number beyond its type", "pub fn f(n: u8) -> bool {\n    n == 256 //~ 256 does not fit u8\n}"),
    (
        "elements of no type",
        "use hacspec_lib::*;\npub fn f(n: usize) -> usize {\n    let s = Seq::new(n); //~ the type of a sequence's elements is not determined\n    3\n}",
    ),
    (
        "integers of two types",
        "pub fn f(n: usize, m: u64) -> bool {\n    n == m //~ the types usize and u64 do not agree\n}",
    ),
    ("`from` that narrows", "pub fn f(n: u64) -> u8 {\n    u8::from(n) //~ widths are not known to widen\n}"),
    (
        "what is left out, used by what is translated",
        "// module: hash\nuse hacspec_lib::*;\npub fn compress(x: u32) -> u32 {\n    x ^ 5\n}\npub fn tag_a(x: u32) -> u32 {\n    compress(x) //~ `compress` is left out of the translation\n}",
    ),
    (
        "the exponent of a group's element, used by what is translated",
        "// module: group\npub struct G1 {\n    g1_exponent: u32,\n}\npub fn known_exponent(element: G1) -> u32 {\n    element.g1_exponent\n}\n// module: verifier\nuse crate::group::*;\npub fn f(element: G1) -> u32 {\n    known_exponent(element) //~ `known_exponent` is left out of the translation\n}",
    ),
    (
        "alternatives that bind",
        "pub enum E {\n    A(usize),\n    B(usize),\n}\npub fn f(e: &E) -> usize {\n    match e {\n        E::A(x) | E::B(x) => *x, //~ shadows a variable\n    }\n}",
    ),
    ("a call of a variable", "pub fn f(n: usize) -> usize {\n    n(3) //~ a call of the variable `n`\n}"),
];
