//! What the system's allocator does with memory that is freed.

/// Makes glibc keep what is freed, for the next allocation, from the first call on.
///
/// By default it gives memory back to the system when 128 KiB or more are free at the end of the heap, and takes blocks as
/// large from the system each; both limits move with what the program has freed before. So a task that needs such blocks
/// pays for page faults or does not, depending on the tasks that ran before it. With fixed limits its figure is the same in
/// a run of all tasks and in a run of its own. Programs that live long have most of this by themselves. Other systems'
/// allocators are left as they are.
pub fn keep_what_is_freed() {
    #[cfg(all(target_os = "linux", target_env = "gnu"))]
    for (option, value) in
        [(libc::M_MMAP_THRESHOLD, MOST_OF_HEAP), (libc::M_TRIM_THRESHOLD, libc::c_int::MAX)]
    {
        // SAFETY: the options take any number, and no other thread is there yet.
        assert_eq!(unsafe { libc::mallopt(option, value) }, 1, "glibc takes the option {option}");
    }
}

/// The largest block that glibc can be told to take from the heap.
#[cfg(all(target_os = "linux", target_env = "gnu"))]
const MOST_OF_HEAP: libc::c_int = 32 << 20;

#[cfg(all(test, target_os = "linux", target_env = "gnu"))]
mod tests {
    /// Page faults of the process that needed no disk.
    fn faults() -> i64 {
        // SAFETY: `rusage` is numbers only, for which zero is a value, and the pointer is to one that lives.
        unsafe {
            let mut usage: libc::rusage = std::mem::zeroed();
            assert_eq!(libc::getrusage(libc::RUSAGE_SELF, &raw mut usage), 0);
            usage.ru_minflt
        }
    }

    #[test]
    fn freed_memory_is_not_given_back() {
        super::keep_what_is_freed();
        let use_memory = || std::hint::black_box(vec![1_u8; 16 << 20]);
        drop(use_memory());
        let before = faults();
        (0..20).for_each(|_| drop(use_memory()));
        // Each time anew it would be 4096 pages.
        assert!(faults() - before < 4096, "{} page faults", faults() - before);
    }
}
