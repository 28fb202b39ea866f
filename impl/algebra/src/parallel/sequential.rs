//! The names of rayon that this project uses, on the calling thread.

/// The extension traits: import them all.
pub mod prelude {
    pub use super::{IntoParallelIterator, IntoParallelRefIterator, ParallelExtend, ParallelSlice, ParallelSliceMut};
}

/// Does one thing, then the other.
pub fn join<A, B>(first: impl FnOnce() -> A, second: impl FnOnce() -> B) -> (A, B) {
    (first(), second())
}

/// How many threads share the work: one.
pub fn current_num_threads() -> usize {
    1
}

/// The calling thread is alone already.
#[cfg_attr(test, allow(dead_code, reason = "the tests compare what works on several threads"))]
pub fn work_alone() {}

/// An iterator with the methods of rayon's. Those that rayon shares with [`Iterator`] keep the
/// type, so that the others can follow.
#[derive(Clone, Debug)]
pub struct Sequential<I>(I);

impl<I: Iterator> Iterator for Sequential<I> {
    type Item = I::Item;

    fn next(&mut self) -> Option<I::Item> {
        self.0.next()
    }

    fn size_hint(&self) -> (usize, Option<usize>) {
        self.0.size_hint()
    }
}

impl<I: Iterator> Sequential<I> {
    /// See [`Iterator::map`].
    pub fn map<T>(self, change: impl FnMut(I::Item) -> T) -> Sequential<impl Iterator<Item = T>> {
        Sequential(self.0.map(change))
    }

    /// See [`Iterator::filter_map`].
    pub fn filter_map<T>(self, change: impl FnMut(I::Item) -> Option<T>) -> Sequential<impl Iterator<Item = T>> {
        Sequential(self.0.filter_map(change))
    }

    /// See [`Iterator::enumerate`].
    pub fn enumerate(self) -> Sequential<impl Iterator<Item = (usize, I::Item)>> {
        Sequential(self.0.enumerate())
    }

    /// See [`Iterator::take`].
    pub fn take(self, count: usize) -> Sequential<impl Iterator<Item = I::Item>> {
        Sequential(self.0.take(count))
    }

    /// See [`Iterator::zip`].
    pub fn zip<J: IntoIterator>(self, other: J) -> Sequential<impl Iterator<Item = (I::Item, J::Item)>> {
        Sequential(self.0.zip(other))
    }

    /// See [`Iterator::flat_map`].
    pub fn flat_map_iter<J: IntoIterator>(
        self,
        change: impl FnMut(I::Item) -> J,
    ) -> Sequential<impl Iterator<Item = J::Item>> {
        Sequential(self.0.flat_map(change))
    }

    /// How many items a thread takes at least: of no meaning on one.
    #[must_use]
    pub fn with_min_len(self, _: usize) -> Self {
        self
    }

    /// All items combined; `identity` where there are none.
    pub fn reduce(self, identity: impl Fn() -> I::Item, combine: impl FnMut(I::Item, I::Item) -> I::Item) -> I::Item {
        self.0.fold(identity(), combine)
    }

    /// What the first item gives that gives anything.
    pub fn find_map_first<T>(mut self, find: impl FnMut(I::Item) -> Option<T>) -> Option<T> {
        self.0.find_map(find)
    }
}

/// What can be iterated over once.
pub trait IntoParallelIterator: IntoIterator + Sized {
    /// The iterator.
    fn into_par_iter(self) -> Sequential<Self::IntoIter> {
        Sequential(self.into_iter())
    }
}

impl<T: IntoIterator> IntoParallelIterator for T {}

/// What can be iterated over by reference.
pub trait IntoParallelRefIterator<T> {
    /// The iterator.
    fn par_iter(&self) -> Sequential<core::slice::Iter<'_, T>>;
}

impl<T> IntoParallelRefIterator<T> for [T] {
    fn par_iter(&self) -> Sequential<core::slice::Iter<'_, T>> {
        Sequential(self.iter())
    }
}

/// Slices in pieces.
pub trait ParallelSlice<T> {
    /// Pieces of `size` > 0 items, the last one perhaps shorter.
    fn par_chunks(&self, size: usize) -> Sequential<core::slice::Chunks<'_, T>>;
}

impl<T> ParallelSlice<T> for [T] {
    fn par_chunks(&self, size: usize) -> Sequential<core::slice::Chunks<'_, T>> {
        Sequential(self.chunks(size))
    }
}

/// Slices that change.
pub trait ParallelSliceMut<T> {
    /// Pieces of `size` > 0 items, the last one perhaps shorter.
    fn par_chunks_mut(&mut self, size: usize) -> Sequential<core::slice::ChunksMut<'_, T>>;

    /// See [`slice::sort_unstable`].
    fn par_sort_unstable(&mut self)
    where
        T: Ord;
}

impl<T> ParallelSliceMut<T> for [T] {
    fn par_chunks_mut(&mut self, size: usize) -> Sequential<core::slice::ChunksMut<'_, T>> {
        Sequential(self.chunks_mut(size))
    }

    fn par_sort_unstable(&mut self)
    where
        T: Ord,
    {
        self.sort_unstable();
    }
}

/// Collections that grow.
pub trait ParallelExtend<T> {
    /// See [`Extend::extend`].
    fn par_extend(&mut self, items: impl IntoIterator<Item = T>);
}

impl<T> ParallelExtend<T> for Vec<T> {
    fn par_extend(&mut self, items: impl IntoIterator<Item = T>) {
        self.extend(items);
    }
}
