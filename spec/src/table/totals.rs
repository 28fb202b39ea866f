//! Totals: how many rows the runs of a box have, and the sums of their numbers' powers, together or
//! group by group.
//!
//! The commitment to a run's sums of p-th powers opens at 1, a point of every domain, to the run's
//! total; so the sum C_p of the commitments of a group's runs opens there to the group's total S_p,
//! whatever domains the runs are on. The claims are (C_p, 1, S_p), group by group in ascending
//! order of their keys, p from 1 on. A total is a number of 32 bytes of at most n cap^p, n the rows
//! of the group: below 2^40 rows and 2^64 for the cap, that is below r, so no sum wraps. Source:
//! docs/tables.md, "Totals".

use crate::base::bytes::*;
use crate::base::group::*;
use crate::base::integers::*;
use crate::base::scalar::*;
use crate::commitment::folded_opening::*;
use crate::table::run_record::*;
use crate::table::sheet::*;
use crate::table::table_key::*;
use hacspec_lib::*;

/// A box has fewer rows.
pub const MAX_BOX_ROWS: usize = 1_099_511_627_776;
/// The most runs of an answer.
pub const MAX_ANSWER_RUNS: usize = 65_536;

/// A run of a box, as totals look at it.
#[derive(Clone, Debug, Default)]
pub struct BoxRun {
    /// Where it stands.
    pub run_place: RunPlace,
    /// What its segments add up to.
    pub run_head: RunHead,
}

/// What the runs of a group add up to.
#[derive(Clone, Debug, Default)]
pub struct GroupTotals {
    /// The columns of `group by` as they stand in the runs' keys, one after the other.
    pub group_key: ByteString,
    /// How many rows there are.
    pub group_rows: usize,
    /// The sums of the commitments to sums of powers, from the first power on.
    pub group_sums: Seq<G1>,
}

/// Whether there is a place.
pub fn is_some_place(place: &Option<usize>) -> bool {
    match place {
        None => false,
        Some(_) => true,
    }
}

/// Whether a record is one of a table with so many moments, wherever in a sheet it stands.
pub fn run_record_legal(run_record: &RunRecord, moments: usize) -> bool {
    run_record.record_log >= MIN_SHEET_LOG
        && run_record.record_log <= max_sheet_log(moments)
        && run_record.record_sums.len() == moments
        && run_record.record_root.len() == 32
        && is_some_place(&layout_after(1, run_record.record_log, run_record))
}

/// Where a key column begins, and how many bytes it has.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct ColumnPlace {
    /// Where it begins.
    pub column_place_start: usize,
    /// How many bytes it has.
    pub column_place_width: usize,
}

/// One step of [`column_place`].
pub fn column_place_step(found: ColumnPlace, width: usize) -> ColumnPlace {
    ColumnPlace { column_place_start: found.column_place_start + found.column_place_width, column_place_width: width }
}

/// Where a column, below the number of widths, stands in a key's columns.
pub fn column_place(widths: &Seq<usize>, column: usize) -> ColumnPlace {
    let mut found = ColumnPlace { column_place_start: 0, column_place_width: 0 };
    for i in 0..column + 1 {
        found = column_place_step(found, widths[i]);
    }
    found
}

/// One step of [`group_key_of`].
pub fn group_key_of_step(found: ByteString, columns: &ByteString, widths: &Seq<usize>, column: usize) -> ByteString {
    if column < widths.len() {
        let place = column_place(widths, column);
        if place.column_place_start + place.column_place_width <= columns.len() {
            found.concat(&columns.slice(place.column_place_start, place.column_place_width))
        } else {
            found
        }
    } else {
        found
    }
}

/// The key of the group that a run belongs to: empty where nothing is grouped.
pub fn group_key_of(columns: &ByteString, widths: &Seq<usize>, groups: &Seq<usize>) -> ByteString {
    let mut found = ByteString::new(0);
    for i in 0..groups.len() {
        found = group_key_of_step(found, columns, widths, groups[i]);
    }
    found
}

/// One step of [`groups_below`].
pub fn groups_below_step(count: usize, group: &GroupTotals, of_group: &ByteString) -> usize {
    if bytes_less(&group.group_key, of_group) { count + 1 } else { count }
}

/// How many groups have a lesser key.
pub fn groups_below(groups: &Seq<GroupTotals>, of_group: &ByteString) -> usize {
    let mut count = 0;
    for i in 0..groups.len() {
        count = groups_below_step(count, &groups[i], of_group);
    }
    count
}

/// One step of [`sums_with_record`].
pub fn sums_with_record_step(sums: Seq<G1>, before: &Seq<G1>, recorded: &TablePoint, i: usize) -> Seq<G1> {
    sums.push_owned(g1_add(g1_at(before, i), recorded.held_element))
}

/// Sums of commitments with those of one more record.
pub fn sums_with_record(before: &Seq<G1>, run_record: &RunRecord) -> Seq<G1> {
    let mut sums = Seq::<G1>::new(0);
    for i in 0..run_record.record_sums.len() {
        sums = sums_with_record_step(sums, before, &run_record.record_sums[i], i);
    }
    sums
}

/// A group with one more run.
pub fn group_with_run(group: &GroupTotals, run: &BoxRun) -> GroupTotals {
    GroupTotals {
        group_key: group.group_key.clone(),
        group_rows: group.group_rows + run.run_head.head_record.record_rows,
        group_sums: sums_with_record(&group.group_sums, &run.run_head.head_record),
    }
}

/// The groups, ascending, with one more run of the group with a key.
pub fn groups_with_run(groups: &Seq<GroupTotals>, of_group: &ByteString, run: &BoxRun) -> Seq<GroupTotals> {
    let place = groups_below(groups, of_group);
    let before = groups.slice(0, place);
    let fresh = GroupTotals { group_key: of_group.clone(), group_rows: 0, group_sums: Seq::<G1>::new(0) };
    if place < groups.len() {
        if bytes_equal(&groups[place].group_key, of_group) {
            before
                .push_owned(group_with_run(&groups[place], run))
                .concat_owned(groups.slice(place + 1, groups.len() - place - 1))
        } else {
            before.push_owned(group_with_run(&fresh, run)).concat_owned(groups.slice(place, groups.len() - place))
        }
    } else {
        before.push_owned(group_with_run(&fresh, run))
    }
}

/// One step of [`group_totals`].
pub fn group_totals_step(
    found: Seq<GroupTotals>,
    widths: &Seq<usize>,
    groups: &Seq<usize>,
    run: &BoxRun,
) -> Seq<GroupTotals> {
    let of_group = group_key_of(&run.run_place.place_columns, widths, groups);
    groups_with_run(&found, &of_group, run)
}

/// What the runs of each group add up to, in ascending order of the groups' keys.
pub fn group_totals(runs: &Seq<BoxRun>, widths: &Seq<usize>, groups: &Seq<usize>) -> Seq<GroupTotals> {
    let mut found = Seq::<GroupTotals>::new(0);
    for i in 0..runs.len() {
        found = group_totals_step(found, widths, groups, &runs[i]);
    }
    found
}

/// What is left of a product while its bytes are written, lowest first.
#[derive(Clone, Debug, Default)]
pub struct ProductDigits {
    /// What is carried over to the next byte.
    pub product_carry: u128,
    /// The bytes written so far.
    pub product_written: ByteString,
}

/// One step of [`bytes_multiplied`].
pub fn bytes_multiplied_step(product: ProductDigits, digits: &ByteString, factor: u64, i: usize) -> ProductDigits {
    if i < digits.len() {
        let digit = u128_of_u8(digits[digits.len() - i - 1]) * u128_of_u64(factor) + product.product_carry;
        ProductDigits {
            product_carry: digit / 256,
            product_written: single_byte(u8_of_u128(digit % 256)).concat(&product.product_written),
        }
    } else {
        product
    }
}

/// A number, highest byte first, times a factor, in as many bytes, which it must fit.
pub fn bytes_multiplied(digits: &ByteString, factor: u64) -> ByteString {
    let mut product = ProductDigits { product_carry: 0, product_written: ByteString::new(0) };
    for i in 0..digits.len() {
        product = bytes_multiplied_step(product, digits, factor, i);
    }
    product.product_written
}

/// One step of [`greatest_total`].
pub fn greatest_total_step(bound: ByteString, cap: u64) -> ByteString {
    bytes_multiplied(&bound, cap)
}

/// n cap^p in 32 bytes: no total of p-th powers of n rows is greater.
pub fn greatest_total(rows: usize, cap: u64, power: usize) -> ByteString {
    let mut bound = ByteString::new(24).concat(&u64_bytes(rows));
    for _i in 0..power {
        bound = greatest_total_step(bound, cap);
    }
    bound
}

/// The scalar that 32 bytes write, highest first.
pub fn scalar_of_total(total: &ByteString) -> Scalar {
    scalar_of_wide_bytes(&ByteString::new(16).concat(total))
}

/// Whether a stated total of p-th powers has 32 bytes, and is not greater than n cap^p.
pub fn total_in_bounds(total: &ByteString, rows: usize, cap: u64, power: usize) -> bool {
    total.len() == 32 && bytes_at_most(total, &greatest_total(rows, cap, power))
}

/// One step of [`totals_of_group_legal`].
pub fn totals_of_group_legal_step(legal: bool, totals: &Seq<ByteString>, rows: usize, cap: u64, i: usize) -> bool {
    legal && total_in_bounds(&totals[i], rows, cap, i + 1)
}

/// Whether a group's stated totals are as many as there are powers, each in its bounds.
pub fn totals_of_group_legal(totals: &Seq<ByteString>, group: &GroupTotals, cap: u64, powers: usize) -> bool {
    let mut legal = totals.len() == powers && powers <= group.group_sums.len();
    for i in 0..totals.len() {
        legal = totals_of_group_legal_step(legal, totals, group.group_rows, cap, i);
    }
    legal
}

/// One step of [`totals_legal`].
pub fn totals_legal_step(
    legal: bool,
    stated: &Seq<Seq<ByteString>>,
    group: &GroupTotals,
    cap: u64,
    powers: usize,
    i: usize,
) -> bool {
    if i < stated.len() { legal && totals_of_group_legal(&stated[i], group, cap, powers) } else { false }
}

/// Whether totals are stated for each group, of so many powers and in their bounds; where no power
/// is asked for, for none.
pub fn totals_legal(stated: &Seq<Seq<ByteString>>, groups: &Seq<GroupTotals>, cap: u64, powers: usize) -> bool {
    let mut legal = stated.len() == groups.len();
    for i in 0..groups.len() {
        legal = totals_legal_step(legal, stated, &groups[i], cap, powers, i);
    }
    if powers < 1 { stated.len() == 0 } else { legal }
}

/// One step of [`claims_of_group`].
pub fn claims_of_group_step(
    claimed: Seq<FoldedClaim>,
    totals: &Seq<ByteString>,
    group: &GroupTotals,
    i: usize,
) -> Seq<FoldedClaim> {
    claimed.push_owned(FoldedClaim {
        folded_commitment: g1_at(&group.group_sums, i),
        folded_point: scalar_one(),
        folded_value: scalar_of_total(&totals[i]),
    })
}

/// Claims, and (C_p, 1, S_p) of one more group.
pub fn claims_of_group(before: Seq<FoldedClaim>, totals: &Seq<ByteString>, group: &GroupTotals) -> Seq<FoldedClaim> {
    let mut claimed = before;
    for i in 0..totals.len() {
        claimed = claims_of_group_step(claimed, totals, group, i);
    }
    claimed
}

/// One step of [`claims_of_totals`].
pub fn claims_of_totals_step(
    claimed: Seq<FoldedClaim>,
    totals: &Seq<ByteString>,
    groups: &Seq<GroupTotals>,
    i: usize,
) -> Seq<FoldedClaim> {
    if i < groups.len() { claims_of_group(claimed, totals, &groups[i]) } else { claimed }
}

/// The claims of stated totals: (C_p, 1, S_p), group by group.
pub fn claims_of_totals(stated: &Seq<Seq<ByteString>>, groups: &Seq<GroupTotals>) -> Seq<FoldedClaim> {
    let mut claimed = Seq::<FoldedClaim>::new(0);
    for i in 0..stated.len() {
        claimed = claims_of_totals_step(claimed, &stated[i], groups, i);
    }
    claimed
}

/// One step of [`encode_totals_of_group`].
pub fn encode_totals_of_group_step(encoded: ByteString, total: &ByteString) -> ByteString {
    encoded.concat(total)
}

/// Bytes, and the totals of one more group behind them.
pub fn encode_totals_of_group(before: ByteString, totals: &Seq<ByteString>) -> ByteString {
    let mut encoded = before;
    for i in 0..totals.len() {
        encoded = encode_totals_of_group_step(encoded, &totals[i]);
    }
    encoded
}

/// One step of [`encode_totals`].
pub fn encode_totals_step(encoded: ByteString, totals: &Seq<ByteString>) -> ByteString {
    encode_totals_of_group(encoded, totals)
}

/// Stated totals as bytes, 32 each.
pub fn encode_totals(stated: &Seq<Seq<ByteString>>) -> ByteString {
    let mut encoded = ByteString::new(0);
    for i in 0..stated.len() {
        encoded = encode_totals_step(encoded, &stated[i]);
    }
    encoded
}
