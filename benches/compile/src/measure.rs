//! Measures a command: processor time and memory of all its processes.

use crate::Outcome;
use std::fs::File;
use std::os::unix::process::CommandExt;
use std::path::Path;
use std::process::{Command, Stdio};
use std::sync::atomic::{AtomicI32, Ordering};
use std::time::{Duration, Instant};

/// The usage of a command, with every process that it started and waited for.
#[derive(Clone, Copy, Debug)]
pub struct Usage {
    /// Of the user and of the system.
    pub cpu: Duration,
    /// Bytes of the largest process.
    pub peak: u64,
}

/// How a command ended.
pub enum End {
    Done(Usage),
    Failed,
    TimedOut,
}

/// Runs a command to its end, or until the timeout, when all its processes are killed. Its output is written to a
/// file.
pub fn run(command: &mut Command, log: &Path, timeout: Duration) -> Outcome<End> {
    let log = File::create(log)?;
    command.stdin(Stdio::null()).stdout(log.try_clone()?).stderr(log);
    // A separate process group, so that the compilers that cargo started can be killed with it.
    let child = command.process_group(0).spawn()?;
    let id = libc::pid_t::try_from(child.id())?;
    GROUP.store(id, Ordering::Relaxed);
    let start = Instant::now();
    loop {
        if let Some((success, usage)) = wait(id, libc::WNOHANG)? {
            GROUP.store(0, Ordering::Relaxed);
            return Ok(if success { End::Done(usage) } else { End::Failed });
        }
        if start.elapsed() > timeout {
            // SAFETY: no memory is involved; the group is that of a child that was not waited for yet.
            unsafe { libc::kill(-id, libc::SIGKILL) };
            wait(id, 0)?;
            GROUP.store(0, Ordering::Relaxed);
            return Ok(End::TimedOut);
        }
        std::thread::sleep(Duration::from_millis(20));
    }
}

/// Ends the command that runs when a signal ends this program, by Ctrl-C or otherwise.
pub fn end_with_this_program() {
    extern "C" fn end(_: libc::c_int) {
        let group = GROUP.load(Ordering::Relaxed);
        if group > 0 {
            // SAFETY: no memory is involved, and a signal handler may call it.
            unsafe { libc::kill(-group, libc::SIGKILL) };
        }
        // SAFETY: as above; it does not return.
        unsafe { libc::_exit(130) }
    }
    let handler = end as extern "C" fn(libc::c_int) as libc::sighandler_t;
    for signal in [libc::SIGINT, libc::SIGTERM, libc::SIGHUP] {
        // SAFETY: the handler only calls async-signal-safe functions.
        unsafe { libc::signal(signal, handler) };
    }
}

/// The process group of the command that runs, or 0.
static GROUP: AtomicI32 = AtomicI32::new(0);

/// Waits for a child: whether it succeeded, and its usage.
///
/// Unlike `getrusage`, which has the maximum over all children, this is for one child and its
/// descendants.
fn wait(id: libc::pid_t, options: libc::c_int) -> Outcome<Option<(bool, Usage)>> {
    let mut status = 0;
    // SAFETY: `rusage` is numbers only, for which zero is a value.
    let mut usage: libc::rusage = unsafe { std::mem::zeroed() };
    // SAFETY: both pointers are to values that live until the call returns.
    match unsafe { libc::wait4(id, &raw mut status, options, &raw mut usage) } {
        0 => Ok(None),
        -1 => Err(std::io::Error::last_os_error().into()),
        _ => {
            let success = libc::WIFEXITED(status) && libc::WEXITSTATUS(status) == 0;
            let unit = if cfg!(target_os = "macos") { 1 } else { 1024 };
            let peak = u64::try_from(usage.ru_maxrss)? * unit;
            Ok(Some((success, Usage { cpu: time(usage.ru_utime)? + time(usage.ru_stime)?, peak })))
        }
    }
}

fn time(time: libc::timeval) -> Outcome<Duration> {
    Ok(Duration::from_secs(u64::try_from(time.tv_sec)?) + Duration::from_micros(u64::try_from(time.tv_usec)?))
}

#[cfg(test)]
mod tests {
    use super::{End, run};
    use std::process::Command;
    use std::time::{Duration, Instant};

    fn shell(script: &str, timeout: Duration) -> End {
        run(Command::new("sh").args(["-c", script]), "/dev/null".as_ref(), timeout).unwrap()
    }

    #[test]
    fn the_processes_that_a_command_starts_count() {
        let script = "sh -c 'i=0; while [ $i -lt 200000 ]; do i=$((i+1)); done'; true";
        let End::Done(usage) = shell(script, Duration::from_secs(60)) else { panic!("it succeeds") };
        assert!(usage.cpu > Duration::from_millis(10), "{usage:?}");
        assert!(usage.peak > 100 * 1024, "{usage:?}");
    }

    #[test]
    fn a_command_fails_or_takes_too_long() {
        assert!(matches!(shell("exit 3", Duration::from_secs(60)), End::Failed));
        let start = Instant::now();
        assert!(matches!(shell("sleep 60; true", Duration::from_millis(100)), End::TimedOut));
        assert!(start.elapsed() < Duration::from_secs(30));
    }
}
