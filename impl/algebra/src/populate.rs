//! Memory that is asked for at once.
//!
//! The system gives a process each page of new memory when it is first touched, which takes longer
//! than an addition of points. Where all of a list will be filled soon, one call for all of its
//! pages takes a third of that. It is a request: where the system does not know it, pages come as
//! they are touched, and so they do in builds for verifiers alone, without the feature `threads`.
#![allow(unsafe_code)]

/// Makes room for `count` items in an empty list, and has the system give the memory of it now if
/// there was less room before.
pub(crate) fn reserve_populated<T>(list: &mut Vec<T>, count: usize) {
    if list.capacity() < count {
        list.reserve_exact(count);
        let _slower_only = populate(list);
    }
}

/// Whether the system has given the memory.
#[cfg(all(target_os = "linux", feature = "threads"))]
fn populate<T>(list: &mut Vec<T>) -> bool {
    use rustix::mm::{Advice, madvise};

    let room = list.spare_capacity_mut();
    let (start, bytes) = (room.as_mut_ptr().cast::<core::ffi::c_void>(), size_of_val(room));
    // The call is about whole pages: those that lie within the list.
    let page = rustix::param::page_size();
    let skipped = start.align_offset(page);
    let whole = bytes.saturating_sub(skipped) / page * page;
    if whole == 0 {
        return false;
    }
    // SAFETY: these pages are the list's own, and what is in them stays as it is.
    unsafe { madvise(start.wrapping_byte_add(skipped), whole, Advice::LinuxPopulateWrite) }.is_ok()
}

#[cfg(not(all(target_os = "linux", feature = "threads")))]
fn populate<T>(_list: &mut Vec<T>) -> bool {
    false
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lists_have_the_room_and_hold_what_is_put_into_it() {
        for count in [0, 1, 1000, 100_000] {
            let mut list: Vec<[u64; 3]> = Vec::new();
            reserve_populated(&mut list, count);
            let (room, start) = (list.capacity(), list.as_ptr());
            assert!(room >= count);
            list.extend((0..count as u64).map(|at| [at; 3]));
            assert!(list.iter().enumerate().all(|(at, item)| *item == [at as u64; 3]));
            list.clear();
            reserve_populated(&mut list, count);
            assert_eq!((list.capacity(), list.as_ptr()), (room, start));
        }
    }

    /// Pages that this thread has touched for the first time.
    #[cfg(all(target_os = "linux", feature = "threads"))]
    fn touched() -> u64 {
        let text = std::fs::read_to_string("/proc/thread-self/stat").unwrap();
        // The eighth behind the name, which may have spaces in it.
        let (_, fields) = text.rsplit_once(')').unwrap();
        fields.split_whitespace().nth(7).unwrap().parse().unwrap()
    }

    #[cfg(all(target_os = "linux", feature = "threads"))]
    #[test]
    fn what_the_system_gave_is_not_touched_for_the_first_time() {
        const BYTES: usize = 8 << 20;
        let mut list: Vec<u8> = Vec::with_capacity(BYTES);
        // An older system than Linux 5.14 refuses.
        if populate(&mut list) {
            let before = touched();
            list.resize(BYTES, 1);
            assert!(touched() - before < (BYTES / rustix::param::page_size() / 8) as u64);
        }
    }
}
