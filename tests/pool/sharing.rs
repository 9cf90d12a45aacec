//! Pools between threads.

use super::Everything;
use std::rc::Rc;
use std::sync::atomic::{AtomicUsize, Ordering};
use tobu::reuse::{Bounds, BufferPool, MessagePool, Pooled};

const fn is_send_and_sync<T: Send + Sync>() {}
const fn is_send<T: Send>() {}

const _: () = is_send_and_sync::<MessagePool<Everything>>();
const _: () = is_send_and_sync::<Pooled<Everything>>();
const _: () = is_send_and_sync::<BufferPool>();
// What can only be moved between threads can be shared by a pool, which lends it to one at a time.
const _: () = is_send_and_sync::<MessagePool<std::cell::Cell<u32>>>();
const _: () = is_send::<Pooled<std::cell::Cell<u32>>>();

/// `true` where a type is `Send`: the inherent constant is preferred to that of the trait.
macro_rules! is_send {
    ($ty:ty) => {{
        #[allow(dead_code)]
        trait Otherwise {
            const SEND: bool = false;
        }
        impl<T> Otherwise for T {}
        struct Is<T>(std::marker::PhantomData<T>);
        #[allow(dead_code)]
        impl<T: Send> Is<T> {
            const SEND: bool = true;
        }
        <Is<$ty>>::SEND
    }};
}

#[test]
fn what_stays_on_its_thread_stays_there() {
    assert!(is_send!(MessagePool<u32>));
    assert!(!is_send!(MessagePool<Rc<u32>>));
    assert!(!is_send!(Pooled<Rc<u32>>));
}

/// Threads that borrow from one pool: each message is what its thread has decoded, and belongs to nobody else.
#[test]
fn threads_share_a_pool() {
    const THREADS: u64 = 4;
    let pool = MessagePool::<Everything>::bounded(Bounds::new().count(3));
    let buffers = BufferPool::bounded(Bounds::new().count(3));
    let bad = AtomicUsize::new(0);
    std::thread::scope(|scope| {
        for thread in 0..THREADS {
            let (pool, buffers, bad) = (pool.clone(), buffers.clone(), &bad);
            scope.spawn(move || {
                for turn in 0..2_000 {
                    let wanted = Everything {
                        text: format!("{thread} {turn}"),
                        numbers: vec![thread; turn % 7],
                        texts: vec![thread.to_string(); turn % 3],
                        ..Everything::default()
                    };
                    let bytes = buffers.encode(&wanted).unwrap();
                    let message = pool.decode(&bytes).unwrap();
                    std::thread::yield_now();
                    if *message != wanted || pool.kept() > 3 {
                        bad.fetch_add(1, Ordering::Relaxed);
                    }
                }
            });
        }
    });
    assert_eq!(bad.into_inner(), 0);
    assert!((1..=3).contains(&pool.kept()) && (1..=3).contains(&buffers.kept()));
    pool.clear();
    assert_eq!(pool.kept_bytes(), 0);
}

/// A message can be given back by another thread than the one that borrowed it.
#[test]
fn a_message_moves_between_threads() {
    let pool = MessagePool::<Everything>::new();
    let message = pool.decode(b"\x0a\x02hi").unwrap();
    std::thread::spawn(move || assert_eq!(message.text, "hi")).join().unwrap();
    assert_eq!(pool.kept(), 1);
}
