//! What answers mean: statistics of lists of integers, without any cryptography.
//!
//! The rows of the runs in a query's box are numbers, distances from their column's lowest. A total
//! is the sum of their powers, group by group; a row of rank j is one of them than which fewer than
//! j are less, and at least j are at most it; a rank counts the rows below a number. Sums are told
//! apart by their scalars, since they are below the group's order. Source: docs/tables.md,
//! "Queries".

use crate::base::bytes::*;
use crate::base::integers::*;
use crate::base::scalar::*;
use crate::table::cut::*;
use crate::table::cut_goal::*;
use crate::table::table_answer::*;
use crate::table::table_query::*;
use crate::table::table_schema::*;
use crate::table::totals::*;
use hacspec_lib::*;

/// The rows of a run.
#[derive(Clone, Debug, Default)]
pub struct MeantRun {
    /// The key columns, encoded.
    pub meant_columns: ByteString,
    /// The rows' numbers.
    pub meant_rows: Seq<u128>,
}

/// One step of [`rows_of_all`].
pub fn rows_of_all_step(rows: Seq<u128>, run: &MeantRun) -> Seq<u128> {
    rows.concat(&run.meant_rows)
}

/// The rows of all runs.
pub fn rows_of_all(runs: &Seq<MeantRun>) -> Seq<u128> {
    let mut rows = Seq::<u128>::new(0);
    for i in 0..runs.len() {
        rows = rows_of_all_step(rows, &runs[i]);
    }
    rows
}

/// One step of [`runs_of_group`].
pub fn runs_of_group_step(
    found: Seq<MeantRun>,
    run: &MeantRun,
    widths: &Seq<usize>,
    groups: &Seq<usize>,
    of_group: &ByteString,
) -> Seq<MeantRun> {
    if bytes_equal(&group_key_of(&run.meant_columns, widths, groups), of_group) {
        found.push_owned(run.clone())
    } else {
        found
    }
}

/// The runs of a group.
pub fn runs_of_group(
    runs: &Seq<MeantRun>,
    widths: &Seq<usize>,
    groups: &Seq<usize>,
    of_group: &ByteString,
) -> Seq<MeantRun> {
    let mut found = Seq::<MeantRun>::new(0);
    for i in 0..runs.len() {
        found = runs_of_group_step(found, &runs[i], widths, groups, of_group);
    }
    found
}

/// One step of [`rows_below`].
pub fn rows_below_step(count: u128, row: u128, number: u128) -> u128 {
    if row < number { count + 1 } else { count }
}

/// How many rows are below a number.
pub fn rows_below(rows: &Seq<u128>, number: u128) -> u128 {
    let mut count = 0;
    for i in 0..rows.len() {
        count = rows_below_step(count, rows[i], number);
    }
    count
}

/// One step of [`rows_at_most`].
pub fn rows_at_most_step(count: u128, row: u128, number: u128) -> u128 {
    if row <= number { count + 1 } else { count }
}

/// How many rows are at most a number.
pub fn rows_at_most(rows: &Seq<u128>, number: u128) -> u128 {
    let mut count = 0;
    for i in 0..rows.len() {
        count = rows_at_most_step(count, rows[i], number);
    }
    count
}

/// Whether a number is the row of a rank, from 1 on.
pub fn has_rank(rows: &Seq<u128>, number: u128, rank: u128) -> bool {
    rows_below(rows, number) < rank && rank <= rows_at_most(rows, number)
}

/// One step of [`power_total`].
pub fn power_total_step(total: Scalar, row: u128, power: usize) -> Scalar {
    total + scalar_power(scalar_of_number(row), power)
}

/// The sum of the rows' powers.
pub fn power_total(rows: &Seq<u128>, power: usize) -> Scalar {
    let mut total = scalar_zero();
    for i in 0..rows.len() {
        total = power_total_step(total, rows[i], power);
    }
    total
}

/// One step of [`totals_are_meant`].
pub fn totals_are_meant_step(meant: bool, stated: &Seq<ByteString>, rows: &Seq<u128>, i: usize) -> bool {
    meant && scalar_of_total(&stated[i]) == power_total(rows, i + 1)
}

/// Whether a group's stated totals are the sums of its rows' powers, from the first power on.
pub fn totals_are_meant(stated: &Seq<ByteString>, rows: &Seq<u128>) -> bool {
    let mut meant = true;
    for i in 0..stated.len() {
        meant = totals_are_meant_step(meant, stated, rows, i);
    }
    meant
}

/// Whether a group has runs, so many rows, and these totals of theirs.
pub fn group_is_meant(
    runs: &Seq<MeantRun>,
    widths: &Seq<usize>,
    groups: &Seq<usize>,
    group: &GroupTotals,
    stated: &Seq<ByteString>,
) -> bool {
    let members = runs_of_group(runs, widths, groups, &group.group_key);
    let rows = rows_of_all(&members);
    members.len() >= 1 && group.group_rows == rows.len() && totals_are_meant(stated, &rows)
}

/// The totals that are stated of a group; none where none are stated.
pub fn totals_of_place(stated: &Seq<Seq<ByteString>>, i: usize) -> Seq<ByteString> {
    if i < stated.len() { stated[i].clone() } else { Seq::<ByteString>::new(0) }
}

/// One step of [`groups_are_meant`].
pub fn groups_are_meant_step(
    meant: bool,
    runs: &Seq<MeantRun>,
    widths: &Seq<usize>,
    groups: &Seq<usize>,
    found: &Seq<GroupTotals>,
    stated: &Seq<Seq<ByteString>>,
    i: usize,
) -> bool {
    let ascending = i == 0 || bytes_less(&found[i - 1].group_key, &found[i].group_key);
    meant && ascending && group_is_meant(runs, widths, groups, &found[i], &totals_of_place(stated, i))
}

/// Whether groups ascend by their keys and each is what its runs' rows add up to.
pub fn groups_are_meant(
    runs: &Seq<MeantRun>,
    widths: &Seq<usize>,
    groups: &Seq<usize>,
    found: &Seq<GroupTotals>,
    stated: &Seq<Seq<ByteString>>,
) -> bool {
    let mut meant = true;
    for i in 0..found.len() {
        meant = groups_are_meant_step(meant, runs, widths, groups, found, stated, i);
    }
    meant
}

/// One step of [`group_is_named`].
pub fn group_is_named_step(named: bool, group: &GroupTotals, of_group: &ByteString) -> bool {
    named || bytes_equal(&group.group_key, of_group)
}

/// Whether there is a group with this key.
pub fn group_is_named(found: &Seq<GroupTotals>, of_group: &ByteString) -> bool {
    let mut named = false;
    for i in 0..found.len() {
        named = group_is_named_step(named, &found[i], of_group);
    }
    named
}

/// One step of [`runs_are_grouped`].
pub fn runs_are_grouped_step(
    grouped: bool,
    run: &MeantRun,
    widths: &Seq<usize>,
    groups: &Seq<usize>,
    found: &Seq<GroupTotals>,
) -> bool {
    grouped && group_is_named(found, &group_key_of(&run.meant_columns, widths, groups))
}

/// Whether each run is in one of the groups.
pub fn runs_are_grouped(
    runs: &Seq<MeantRun>,
    widths: &Seq<usize>,
    groups: &Seq<usize>,
    found: &Seq<GroupTotals>,
) -> bool {
    let mut grouped = true;
    for i in 0..runs.len() {
        grouped = runs_are_grouped_step(grouped, &runs[i], widths, groups, found);
    }
    grouped
}

/// What is stated of the order of rows.
#[derive(Clone, Debug, Default)]
pub struct StatedOrder {
    /// The last row before the cut.
    pub stated_low: Option<u128>,
    /// The first row behind it.
    pub stated_high: Option<u128>,
    /// How many rows are before the cut.
    pub stated_before: u128,
}

/// The number of an end.
pub fn number_of_end(stated: &Option<CutEnd>) -> Option<u128> {
    match stated {
        None => None,
        Some(found) => Some(found.end_value),
    }
}

/// What a cut states of the order of rows, of which so many more are before it than its splits
/// say.
pub fn order_of_cut(stated: &Option<TableCut>, hidden: u128) -> Option<StatedOrder> {
    match stated {
        None => None,
        Some(cut) => Some(StatedOrder {
            stated_low: number_of_end(&cut.cut_low),
            stated_high: number_of_end(&cut.cut_high),
            stated_before: splits_total(&cut.cut_splits) + hidden,
        }),
    }
}

/// Whether a stated number is the row of a rank.
pub fn number_is_meant(rows: &Seq<u128>, stated: &Option<u128>, rank: u128) -> bool {
    match stated {
        None => false,
        Some(number) => has_rank(rows, *number, rank),
    }
}

/// Whether no number is stated.
pub fn is_unstated(stated: &Option<u128>) -> bool {
    match stated {
        None => true,
        Some(_) => false,
    }
}

/// Whether what is stated is the row of the rank, the rows of the ranks, or the count of the rows
/// below the number that is asked for.
pub fn goal_is_meant(goal: &CutGoal, rows: &Seq<u128>, stated: &StatedOrder) -> bool {
    match goal {
        CutGoal::NoCut => false,
        CutGoal::AtRank(rank) => number_is_meant(rows, &stated.stated_low, *rank) && is_unstated(&stated.stated_high),
        CutGoal::AroundRank(rank) => {
            number_is_meant(rows, &stated.stated_low, *rank) && number_is_meant(rows, &stated.stated_high, *rank + 1)
        }
        CutGoal::BelowNumber(number) => stated.stated_before == rows_below(rows, *number),
    }
}

/// Whether nothing is asked for.
pub fn goal_is_none(goal: &CutGoal) -> bool {
    match goal {
        CutGoal::NoCut => true,
        CutGoal::AtRank(_) => false,
        CutGoal::AroundRank(_) => false,
        CutGoal::BelowNumber(_) => false,
    }
}

/// Whether something is stated where something is asked for of the order of these rows, and is what
/// it is called.
pub fn order_is_meant(query: &TableQuery, rows: &Seq<u128>, stated: &Option<StatedOrder>) -> bool {
    let goal = cut_goal(query.query_function, query.query_a, query.query_b, u128_of_usize(rows.len()));
    match stated {
        None => goal_is_none(&goal),
        Some(found) => goal_is_meant(&goal, rows, found),
    }
}

/// Whether what an answer states of its groups, its totals and the order of its rows is what a
/// query asks of the rows in its box. Of the query for a single row nothing is said here.
pub fn table_meaning(
    query: &TableQuery,
    schema: &TableSchema,
    runs: &Seq<MeantRun>,
    groups: &Seq<GroupTotals>,
    totals: &Seq<Seq<ByteString>>,
    stated: &Option<StatedOrder>,
) -> bool {
    let rows = rows_of_all(runs);
    if query.query_function == FUNCTION_TOTALS {
        let widths = key_widths(&schema.schema_keys);
        groups_are_meant(runs, &widths, &query.query_groups, groups, totals)
            && runs_are_grouped(runs, &widths, &query.query_groups, groups)
    } else if query.query_function == FUNCTION_ROW {
        true
    } else {
        order_is_meant(query, &rows, stated)
    }
}
