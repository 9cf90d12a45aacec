//! The process that the soak looks at: the library with all protocols on one port, and a proxy in front of another process on
//! a second one.

use std::panic;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::Duration;

use tobu_gateway_bench::{Error, serve};
use tobu_transcode::{Metrics, Transcoder};
use tokio::io::{AsyncBufReadExt, BufReader};
use tokio::runtime::Handle;

/// How many bytes a body may have.
pub const MAX_BODY: usize = 256 << 10;
/// How long a body may take.
pub const READ_TIMEOUT: Duration = Duration::from_secs(5);

static PANICS: AtomicUsize = AtomicUsize::new(0);

fn transcoder(metrics: &Metrics) -> Result<Transcoder, Error> {
    let builder = serve::transcoder().max_body(MAX_BODY).read_timeout(READ_TIMEOUT);
    Ok(builder.observer(metrics.clone()).build()?)
}

/// Serves until the input ends. Each line of it is answered: `metrics` with the counters of both ports, others with the
/// number of panics and of tasks.
///
/// # Errors
/// A port fails.
pub async fn run(backend: &str) -> Result<(), Error> {
    let tell = panic::take_hook();
    panic::set_hook(Box::new(move |panicked| {
        PANICS.fetch_add(1, Ordering::Relaxed);
        tell(panicked);
    }));
    let (library, library_address) = serve::listener().await?;
    let (proxy, proxy_address) = serve::listener().await?;
    let metrics = Metrics::new();
    let library = tokio::spawn(serve::in_process(library, transcoder(&metrics)?));
    let (with, url) = (transcoder(&metrics)?, format!("http://{backend}"));
    let proxy = tokio::spawn(async move { serve::proxy(proxy, with, &url).await });
    println!("listening on {library_address} {proxy_address}");
    let questions = async {
        let mut lines = BufReader::new(tokio::io::stdin()).lines();
        while let Some(line) = lines.next_line().await? {
            if line == "metrics" {
                println!("{}", metrics.text().replace('\n', ";"));
                continue;
            }
            let (panics, tasks) =
                (PANICS.load(Ordering::Relaxed), Handle::current().metrics().num_alive_tasks());
            println!("{panics} {tasks}");
        }
        Ok(())
    };
    tokio::select! {
        done = library => done?,
        done = proxy => done?,
        done = questions => done,
    }
}
