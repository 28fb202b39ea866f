//! F_(p²), F_(p⁶) and `F_(p^12)` with an element in each lane.
//!
//! F_(p²) = F_p(u), u² = -1; F_(p⁶) = F_(p²)(v), v³ = ξ = 1 + u; `F_(p^12)` = F_(p⁶)(w), w² = v.
//! Products are Karatsuba's at each step.
//!
//! **Bounds.** A product of F_p gives less than 1.5 p, so one of F_(p²) gives less than 5 p, one of
//! F_(p⁶) less than 35 p, one of `F_(p^12)` less than 105 p and a square there less than 140 p,
//! whatever the factors were below 2^12 p: products of F_p take up to 2^17 p. Sums therefore need
//! no reduction. A difference adds the multiple of p that its name or its argument says.

#![allow(clippy::indexing_slicing, reason = "coefficients and limbs are counted")]

use super::field::{difference, multiple_of_p, select, splat, sum};
use super::lanes::{Element, LIMBS, Lanes, Work};

/// An element of F_(p²) in each lane: a + b u.
#[derive(Clone, Copy)]
pub(super) struct Second<L: Lanes>(pub(super) [Element<L>; 2]);

impl<L: Lanes> Second<L> {
    #[inline(always)]
    pub(super) fn zero(lanes: L) -> Self {
        Self([splat(lanes, &[0; LIMBS]); 2])
    }

    #[inline(always)]
    pub(super) fn plus(&self, lanes: L, other: &Self) -> Self {
        Self([sum(lanes, &self.0[0], &other.0[0]), sum(lanes, &self.0[1], &other.0[1])])
    }

    /// The difference, for an `other` below M p, plus M p.
    #[inline(always)]
    pub(super) fn minus<const M: u64>(&self, lanes: L, other: &Self) -> Self {
        let bound = multiple_of_p::<L, M>(lanes);
        Self([difference(lanes, &self.0[0], &other.0[0], &bound), difference(lanes, &self.0[1], &other.0[1], &bound)])
    }

    /// ξ times it, for an element below M p: below 2 M p.
    #[inline(always)]
    pub(super) fn times_xi<const M: u64>(&self, lanes: L) -> Self {
        let [a, b] = &self.0;
        Self([difference(lanes, a, b, &multiple_of_p::<L, M>(lanes)), sum(lanes, a, b)])
    }

    /// Below 5 p.
    #[inline(always)]
    pub(super) fn times(&self, lanes: L, other: &Self) -> Self {
        let ([a, b], [c, d]) = (&self.0, &other.0);
        let (low, high) = (lanes.product(a, c), lanes.product(b, d));
        let all = lanes.product(&sum(lanes, a, b), &sum(lanes, c, d));
        let real = difference(lanes, &low, &high, &multiple_of_p::<L, 2>(lanes));
        let both = sum(lanes, &low, &high);
        Self([real, difference(lanes, &all, &both, &multiple_of_p::<L, 3>(lanes))])
    }

    /// Both coefficients times an element of F_p: below 1.5 p.
    #[inline(always)]
    pub(super) fn times_base(&self, lanes: L, factor: &Element<L>) -> Self {
        Self([lanes.product(&self.0[0], factor), lanes.product(&self.0[1], factor)])
    }

    #[inline(always)]
    fn or(&self, lanes: L, chosen: u8, others: &Self) -> Self {
        Self([select(lanes, chosen, &self.0[0], &others.0[0]), select(lanes, chosen, &self.0[1], &others.0[1])])
    }
}

/// An element of F_(p⁶) in each lane: a + b v + c v².
#[derive(Clone, Copy)]
pub(super) struct Sixth<L: Lanes>(pub(super) [Second<L>; 3]);

impl<L: Lanes> Sixth<L> {
    #[inline(always)]
    fn plus(&self, lanes: L, other: &Self) -> Self {
        let ([a, b, c], [d, e, f]) = (&self.0, &other.0);
        Self([a.plus(lanes, d), b.plus(lanes, e), c.plus(lanes, f)])
    }

    /// The difference, for an `other` below M p, plus M p.
    #[inline(always)]
    fn minus<const M: u64>(&self, lanes: L, other: &Self) -> Self {
        let ([a, b, c], [d, e, f]) = (&self.0, &other.0);
        Self([a.minus::<M>(lanes, d), b.minus::<M>(lanes, e), c.minus::<M>(lanes, f)])
    }

    /// v times it, for an element below M p: below 2 M p.
    #[inline(always)]
    fn times_v<const M: u64>(&self, lanes: L) -> Self {
        let [a, b, c] = &self.0;
        Self([c.times_xi::<M>(lanes), *a, *b])
    }

    /// Below 35 p.
    #[inline(always)]
    fn times(&self, lanes: L, other: &Self) -> Self {
        lanes.run(SixthProduct(self, other))
    }

    #[inline(always)]
    fn or(&self, lanes: L, chosen: u8, others: &Self) -> Self {
        let ([a, b, c], [d, e, f]) = (&self.0, &others.0);
        Self([a.or(lanes, chosen, d), b.or(lanes, chosen, e), c.or(lanes, chosen, f)])
    }
}

/// A product of two elements, compiled once.
struct SixthProduct<'a, L: Lanes>(&'a Sixth<L>, &'a Sixth<L>);

impl<L: Lanes> Work<L> for SixthProduct<'_, L> {
    type Output = Sixth<L>;

    #[inline(always)]
    fn run(self, lanes: L) -> Sixth<L> {
        let ([a, b, c], [d, e, f]) = (&self.0.0, &self.1.0);
        let (low, middle, high) = (a.times(lanes, d), b.times(lanes, e), c.times(lanes, f));
        // What two pairs of coefficients give crosswise: below 15 p.
        let bc = b.plus(lanes, c).times(lanes, &e.plus(lanes, f));
        let bc = bc.minus::<10>(lanes, &middle.plus(lanes, &high));
        let ab = a.plus(lanes, b).times(lanes, &d.plus(lanes, e));
        let ab = ab.minus::<10>(lanes, &low.plus(lanes, &middle));
        let ac = a.plus(lanes, c).times(lanes, &d.plus(lanes, f));
        let ac = ac.minus::<10>(lanes, &low.plus(lanes, &high));
        Sixth([
            low.plus(lanes, &bc.times_xi::<15>(lanes)),
            ab.plus(lanes, &high.times_xi::<5>(lanes)),
            ac.plus(lanes, &middle),
        ])
    }
}

/// An element of `F_(p^12)` in each lane: a + b w.
#[derive(Clone, Copy)]
pub(super) struct Twelfth<L: Lanes>(pub(super) [Sixth<L>; 2]);

impl<L: Lanes> Twelfth<L> {
    /// Below 105 p.
    #[inline(always)]
    pub(super) fn times(&self, lanes: L, other: &Self) -> Self {
        let ([a, b], [c, d]) = (&self.0, &other.0);
        let (low, high) = (a.times(lanes, c), b.times(lanes, d));
        let all = a.plus(lanes, b).times(lanes, &c.plus(lanes, d));
        let crossed = all.minus::<70>(lanes, &low.plus(lanes, &high));
        Self([low.plus(lanes, &high.times_v::<35>(lanes)), crossed])
    }

    /// Below 140 p, for an element that is below it.
    #[inline(always)]
    pub(super) fn squared(&self, lanes: L) -> Self {
        let [a, b] = &self.0;
        let crossed = a.times(lanes, b);
        let all = a.plus(lanes, b).times(lanes, &a.plus(lanes, &b.times_v::<140>(lanes)));
        let rest = crossed.plus(lanes, &crossed.times_v::<35>(lanes));
        Self([all.minus::<105>(lanes, &rest), crossed.plus(lanes, &crossed)])
    }

    /// These elements in the lanes whose bit is set, others in the others.
    #[inline(always)]
    pub(super) fn or(&self, lanes: L, chosen: u8, others: &Self) -> Self {
        let ([a, b], [c, d]) = (&self.0, &others.0);
        Self([a.or(lanes, chosen, c), b.or(lanes, chosen, d)])
    }
}
