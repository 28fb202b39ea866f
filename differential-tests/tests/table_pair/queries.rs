//! Queries as the specification has them.

use aardvark_aggregates::Query;
use aardvark_spec::convert::{byte_string, to_seq};
use aardvark_spec::table::key_box::{BoxColumn, KeyInterval};
use aardvark_spec::table::table_query::TableQuery;

/// A query as the specification has it.
pub fn spec_query(query: &Query) -> TableQuery {
    let (function, a, b) = query.function().parts();
    let column = |column: &aardvark_aggregates::key_box::ColumnBox| BoxColumn {
        box_column_width: column.width(),
        box_column_intervals: to_seq(
            column
                .intervals()
                .iter()
                .map(|interval| KeyInterval {
                    interval_low: byte_string(&interval.low),
                    interval_high: byte_string(&interval.high),
                })
                .collect(),
        ),
    };
    TableQuery {
        query_table: byte_string(query.table().as_bytes()),
        query_column: usize::from(query.column()),
        query_function: usize::from(function),
        query_a: u128::from(a),
        query_b: u128::from(b),
        query_groups: to_seq(query.groups().iter().map(|group| usize::from(*group)).collect()),
        query_columns: to_seq(query.columns().iter().map(column).collect()),
    }
}
