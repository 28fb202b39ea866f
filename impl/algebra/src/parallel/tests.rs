//! Both implementations give the same, operation by operation.

use std::sync::mpsc::channel;
use std::sync::{Arc, OnceLock};
use std::thread::{self, ThreadId};
use std::time::Duration;

use quickcheck::quickcheck;

use super::{current_num_threads, join, made_once, work_alone};

/// The operations that the project uses, with the names of one implementation.
macro_rules! outcome {
    ($module:path, $numbers:expr, $size:expr) => {{
        use parallel::prelude::*;
        use $module as parallel;

        let numbers: &[u32] = $numbers;
        let size: usize = $size;
        let odd = |number: &u32| (number % 2 == 1).then_some(*number);
        let doubled: Vec<u64> = numbers.par_iter().with_min_len(2).map(|n| 2 * u64::from(*n)).collect();
        let placed: Vec<(usize, u32)> = numbers.to_vec().into_par_iter().enumerate().take(size).collect();
        let pairs: Vec<(&u32, &u64)> = numbers.par_iter().zip(&doubled).collect();
        let pairs: Vec<u64> = pairs.into_par_iter().map(|(a, b)| u64::from(*a) ^ b).collect();
        let odd_ones: Vec<u32> = numbers.par_iter().filter_map(odd).collect();
        let (first_odd, sum) = parallel::join(
            || numbers.par_iter().find_map_first(odd),
            || numbers.par_iter().map(|n| n.wrapping_mul(3)).reduce(|| 0, u32::wrapping_add),
        );
        let empty: Vec<u32> = Vec::new();
        let nothing = empty.into_par_iter().reduce(|| 0, u32::wrapping_add);
        let flat: Vec<usize> = (0..size).into_par_iter().flat_map_iter(|n| 0..n % 3).collect();
        let pieces: Vec<usize> = numbers.par_chunks(size).map(<[u32]>::len).collect();
        let mut changed = numbers.to_vec();
        changed.par_chunks_mut(size).zip(numbers.par_chunks(size)).for_each(|(to, from)| to[0] ^= from.len() as u32);
        let mut sorted = changed.clone();
        sorted.par_sort_unstable();
        sorted.par_extend(numbers.par_iter().map(|n| n / 2));
        let refused: Result<Vec<u32>, u32> =
            numbers.par_iter().map(|n| if n % 5 == 4 { Err(n % 5) } else { Ok(*n) }).collect();
        let all_small = numbers.par_iter().all(|n| *n < 100);
        assert!(parallel::current_num_threads() > 0);
        let lists = (doubled, placed, pairs, odd_ones, flat, pieces);
        (lists, (first_odd, sum, nothing), (changed, sorted, refused, all_small))
    }};
}

quickcheck! {
    fn one_thread_and_many_come_to_the_same(numbers: Vec<u32>, size: usize) -> bool {
        let size = 1 + size % 5;
        outcome!(super::sequential, &numbers, size) == outcome!(super::threads, &numbers, size)
    }
}

#[test]
fn what_is_made_on_all_threads_is_made_while_they_ask_for_it() {
    let lock: Arc<OnceLock<u64>> = Arc::default();
    let threads = current_num_threads();
    let (begun, has_begun) = channel();
    let (asking, asked) = channel();
    let (done, is_done) = channel();
    let outside = thread::spawn({
        let (lock, done) = (Arc::clone(&lock), done.clone());
        use super::prelude::*;
        move || {
            let sum = || (0..1000u64).into_par_iter().map(|n| n % 7).reduce(|| 0, |a, b| a + b);
            let made = *made_once(&lock, || {
                begun.send(()).unwrap();
                // Every thread of the pool asks for it now.
                (0..threads).for_each(|_| asked.recv().unwrap());
                sum()
            });
            done.send(made).unwrap();
        }
    });
    has_begun.recv().unwrap();
    let every_thread = {
        let lock = Arc::clone(&lock);
        move |_: rayon::BroadcastContext<'_>| {
            asking.send(()).unwrap();
            done.send(*made_once(&lock, || 2997)).unwrap();
        }
    };
    rayon::spawn_broadcast(every_thread);
    for _ in 0..=threads {
        let made = is_done.recv_timeout(Duration::from_secs(60)).expect("somebody waits for what nobody makes");
        assert_eq!(made, 2997);
    }
    outside.join().unwrap();
}

#[test]
fn a_thread_that_works_alone_does_all_of_its_work() {
    use super::prelude::*;

    let others = current_num_threads();
    let work = || {
        // Twice is as good as once.
        work_alone();
        work_alone();
        assert_eq!(current_num_threads(), 1);
        let here = thread::current().id();
        let workers: Vec<ThreadId> = (0..1000).into_par_iter().map(|_| thread::current().id()).collect();
        assert!(workers.iter().all(|worker| *worker == here));
        let (first, second) = join(|| thread::current().id(), || thread::current().id());
        assert_eq!((first, second), (here, here));
    };
    thread::spawn(work).join().unwrap();
    // Nobody else does.
    assert_eq!(current_num_threads(), others);
}
