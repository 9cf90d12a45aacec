//! User code that panics at its n-th call, and values that know whether they are alive.

use std::cell::{Cell, RefCell};
use std::collections::HashSet;
use std::hash::{BuildHasher, DefaultHasher, Hasher};

thread_local! {
    /// How many calls of user code are left until one panics; none does where this is `None`.
    static FUSE: Cell<Option<usize>> = const { Cell::new(None) };
    /// The call that panicked was that of a `drop`.
    static DROPPING: Cell<bool> = const { Cell::new(false) };
    static NEXT: Cell<u64> = const { Cell::new(0) };
    static ALIVE: RefCell<HashSet<u64>> = RefCell::new(HashSet::new());
}

/// The panic message.
const BLOWN: &str = "the fuse of this test";

/// Lets the call of user code after `calls` others panic.
pub(crate) fn arm(calls: usize) {
    FUSE.set(Some(calls));
}

/// Which call has panicked.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) enum Blown {
    No,
    InDrop,
    Elsewhere,
}

/// No call panics from here on.
pub(crate) fn disarm() -> Blown {
    match FUSE.replace(None) {
        Some(_) => Blown::No,
        None if DROPPING.get() => Blown::InDrop,
        None => Blown::Elsewhere,
    }
}

/// A call of user code.
pub(crate) fn step() {
    // Two panics at once would end the process.
    if std::thread::panicking() {
        return;
    }
    match FUSE.get() {
        None => {}
        Some(0) => {
            FUSE.set(None);
            DROPPING.set(false);
            // A panic that the hook does not print.
            std::panic::resume_unwind(Box::new(BLOWN));
        }
        Some(left) => FUSE.set(Some(left - 1)),
    }
}

/// True for the panic of a fuse.
pub(crate) fn is_blown(panic: &(dyn std::any::Any + Send)) -> bool {
    panic.downcast_ref::<&str>() == Some(&BLOWN)
}

/// How many values are alive.
pub(crate) fn alive() -> usize {
    ALIVE.with_borrow(HashSet::len)
}

/// A value whose every method is user code. Double drops, and uses after a drop, are detected; with a sanitizer that is
/// seen by its memory, too.
#[derive(Debug)]
pub(crate) struct Tracked(Box<u64>);

impl Tracked {
    fn new() -> Self {
        let id = NEXT.get();
        NEXT.set(id + 1);
        ALIVE.with_borrow_mut(|alive| alive.insert(id));
        Tracked(Box::new(id))
    }

    /// Panics for a value that was dropped.
    pub(crate) fn check(&self) {
        ALIVE.with_borrow(|alive| assert!(alive.contains(&self.0), "{} was dropped before", self.0));
    }
}

impl Default for Tracked {
    fn default() -> Self {
        step();
        Tracked::new()
    }
}

impl Clone for Tracked {
    fn clone(&self) -> Self {
        self.check();
        step();
        Tracked::new()
    }
}

impl PartialEq for Tracked {
    fn eq(&self, other: &Self) -> bool {
        self.check();
        other.check();
        step();
        true
    }
}

impl Drop for Tracked {
    fn drop(&mut self) {
        let was_alive = ALIVE.with_borrow_mut(|alive| alive.remove(&self.0));
        if !was_alive {
            // A panic here might be the second.
            eprintln!("{} was dropped twice", self.0);
            std::process::abort();
        }
        if FUSE.get() == Some(0) && !std::thread::panicking() {
            FUSE.set(None);
            DROPPING.set(true);
            std::panic::resume_unwind(Box::new(BLOWN));
        }
        step();
    }
}

/// A hasher of the user's.
#[derive(Clone)]
pub(crate) struct Hashers(Tracked);

impl Default for Hashers {
    fn default() -> Self {
        step();
        Hashers(Tracked::default())
    }
}

impl BuildHasher for Hashers {
    type Hasher = Steps;

    fn build_hasher(&self) -> Steps {
        self.0.check();
        step();
        Steps(DefaultHasher::new())
    }
}

pub(crate) struct Steps(DefaultHasher);

impl Hasher for Steps {
    fn write(&mut self, bytes: &[u8]) {
        step();
        self.0.write(bytes);
    }

    fn finish(&self) -> u64 {
        step();
        self.0.finish()
    }
}
