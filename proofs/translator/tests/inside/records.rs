//! Structs and enums.

use crate::sequences::*;
use hacspec_lib::*;

/// A point.
#[derive(Clone, Debug, Default)]
pub struct Point {
    /// Across.
    pub point_x: usize,
    /// Up.
    pub point_y: usize,
}

/// A line with a name.
#[derive(Clone, Debug, Default)]
pub struct Line {
    /// The name.
    pub line_name: ByteString,
    /// The beginning.
    pub line_start: Point,
    /// The end.
    pub line_end: Point,
}

/// What can be drawn.
#[derive(Clone, Debug, Default)]
pub enum Shape {
    /// Nothing.
    #[default]
    Nothing,
    /// A dot.
    Dot(Point),
    /// A box with two corners.
    Box(Point, Point),
}

pub fn point(x: usize, y: usize) -> Point {
    Point { point_y: y, point_x: x }
}
pub fn case_fields_by_name() -> (usize, usize) {
    let p = point(3, 4);
    (p.point_x, p.point_y)
}
pub fn case_nested_fields() -> (usize, u8) {
    let line = Line { line_start: point(1, 2), line_name: word(), line_end: point(5, 6) };
    (line.line_end.point_x, line.line_name[2])
}
pub fn moved(line: &Line, by: usize) -> Line {
    let start = point(line.line_start.point_x + by, line.line_start.point_y);
    Line { line_name: line.line_name.clone(), line_start: start, line_end: line.line_end.clone() }
}
pub fn case_copy_with_a_change() -> (usize, usize, usize) {
    let line = Line { line_start: point(1, 2), line_name: word(), line_end: point(5, 6) };
    let after = moved(&line, 10);
    (line.line_start.point_x, after.line_start.point_x, after.line_end.point_y)
}
pub fn area(shape: &Shape) -> usize {
    match shape {
        Shape::Nothing => 0,
        Shape::Dot(_) => 1,
        Shape::Box(a, b) => (b.point_x - a.point_x) * (b.point_y - a.point_y),
    }
}
pub fn case_variants() -> (usize, usize, usize) {
    (area(&Shape::Nothing), area(&Shape::Dot(point(1, 1))), area(&Shape::Box(point(1, 1), point(4, 6))))
}
pub fn case_negative_area() -> usize {
    area(&Shape::Box(point(4, 6), point(1, 1)))
}
pub fn case_default_elements() -> (usize, usize) {
    let lines = Seq::<Line>::new(2);
    let shapes = Seq::<Shape>::new(1);
    (lines[1usize].line_end.point_y + lines[0usize].line_name.len(), area(&shapes[0]))
}
pub fn widen_step(widened: Line, by: usize) -> Line {
    moved(&widened, by)
}
pub fn case_record_as_accumulator() -> usize {
    let mut line = Line { line_name: word(), line_start: point(0, 0), line_end: point(0, 0) };
    for i in 0..5 {
        line = widen_step(line, i);
    }
    line.line_start.point_x
}
