//! Listens on a port, follows changes of the configuration and the schema, and stops when a signal arrives.

use std::convert::Infallible;
use std::io;
use std::net::SocketAddr;
use std::path::PathBuf;
use std::sync::Arc;
use std::time::{Duration, SystemTime};

use hyper::service::service_fn;
use hyper_util::rt::{TokioExecutor, TokioIo, TokioTimer};
use hyper_util::server::conn::auto;
use hyper_util::server::graceful::{GracefulShutdown, Watcher};
use tobu::Pool;
use tobu_transcode::{Error, Metrics, Observer as _, Peer};
use tokio::io::{AsyncRead, AsyncWrite};
use tokio::net::{TcpListener, TcpStream};
use tokio::sync::{OwnedSemaphorePermit, Semaphore};
use tokio::time::{Instant, MissedTickBehavior, interval, sleep, timeout};

use crate::config::{Config, Place};
use crate::front::{Front, Shared};
use crate::schema::{self, Remote};
use crate::state::{self, State};

/// The time between two checks of the files.
const LOOK: Duration = Duration::from_secs(1);
/// The first bytes of an HTTP/2 connection.
const PREFACE: &[u8; 24] = b"PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n";

/// Serves requests until a signal stops the gateway.
///
/// # Errors
/// The gateway cannot listen on the address, the configuration is invalid, or no schema can be loaded.
pub(crate) async fn run(place: Place, config: Config) -> Result<(), String> {
    let address = config.tables.listen.clone();
    let named = |error: io::Error| format!("{address}: {error}");
    let listener = TcpListener::bind(&address).await.map_err(named)?;
    let metrics = Metrics::new();
    let (state, follow) = begin(&config, &metrics).await?;
    let scheme = if state.tls.is_some() { "https" } else { "http" };
    let (rules, url) = (state.rules, config.tables.upstream.url.get_ref().clone());
    let shared = Arc::new(Shared::new(state, metrics));
    // The signal handlers exist before the output says that the gateway is listening.
    let stop = stop().map_err(|error| format!("the signals: {error}"))?;
    let follow = Follower { place, shared: Arc::clone(&shared), follow };
    follow.spawn().map_err(|error| format!("the signals: {error}"))?;
    let own = listener.local_addr().map_err(named)?;
    println!("listening on {scheme}://{own}, with {rules} rules in front of {url}");
    accept(listener, &shared, stop).await;
    Ok(())
}

/// The sources that may change while the gateway runs.
struct Follow {
    files: Vec<(PathBuf, Seen)>,
    remote: Option<Remote>,
}

/// The time of a file's last change, and its length; `None` if the file does not exist.
type Seen = Option<(SystemTime, u64)>;

async fn begin(config: &Config, metrics: &Metrics) -> Result<(State, Follow), String> {
    let channel = state::channel(config)?;
    let (pool, read, remote): (Pool, Vec<PathBuf>, _) = match schema::of_files(config)? {
        Some((pool, read)) => (pool, read, None),
        None => {
            let upstream = &config.tables.upstream;
            let patience = Duration::from_millis(upstream.connect_timeout_ms).max(Duration::from_secs(1)) * 2;
            let mut remote = Remote::new(&channel, patience);
            let wrong = |error| config.wrong(&upstream.url, format!("{}: {error}", upstream.url.get_ref()));
            let pool = remote.next().await.map_err(wrong)?;
            (pool.unwrap_or_default(), Vec::new(), Some(remote))
        }
    };
    let state = State::new(config, channel, &pool, metrics)?;
    let files = config.files().into_iter().chain(read).map(|file| {
        let seen = seen(&file);
        (file, seen)
    });
    Ok((state, Follow { files: files.collect(), remote }))
}

fn seen(file: &PathBuf) -> Seen {
    let found = std::fs::metadata(file).ok()?;
    Some((found.modified().ok()?, found.len()))
}

struct Follower {
    place: Place,
    shared: Arc<Shared>,
    follow: Follow,
}

impl Follower {
    /// Starts a task that reloads the configuration and the schema if a file changes or a hangup signal arrives, and that
    /// regularly asks the reflection service for a new schema.
    fn spawn(mut self) -> io::Result<()> {
        let mut signal = hangup()?;
        self.follow.files.extend(self.place.file.iter().map(|file| (file.clone(), seen(file))));
        tokio::spawn(async move {
            let mut look = interval(LOOK);
            look.set_missed_tick_behavior(MissedTickBehavior::Delay);
            let mut asked = Instant::now();
            loop {
                let is_told = tokio::select! {
                    _ = look.tick() => false,
                    () = signal.next() => true,
                };
                if is_told || self.is_changed() {
                    let done = self.reload().await;
                    self.report(done, "the configuration");
                    asked = Instant::now();
                    continue;
                }
                let refresh = self.shared.state().config.tables.upstream.refresh_seconds;
                if refresh > 0 && asked.elapsed() >= Duration::from_secs(refresh) {
                    asked = Instant::now();
                    if let Some(done) = self.ask().await {
                        self.report(done, "the schema of the server");
                    }
                }
            }
        });
        Ok(())
    }

    fn is_changed(&mut self) -> bool {
        let mut is_changed = false;
        for (file, before) in &mut self.follow.files {
            let now = seen(file);
            is_changed |= now != *before;
            *before = now;
        }
        is_changed
    }

    async fn reload(&mut self) -> Result<(), String> {
        let config = Config::read(&self.place)?;
        let before = self.shared.state().config.tables.listen.clone();
        if config.tables.listen != before {
            tracing::warn!(before, "another address needs a restart");
        }
        let (state, mut follow) = begin(&config, &self.shared.metrics).await?;
        follow.files.extend(self.place.file.iter().map(|file| (file.clone(), seen(file))));
        self.shared.replace(state);
        self.follow = follow;
        Ok(())
    }

    /// Loads the schema from the upstream server, and uses it if it has changed. Otherwise returns `None`.
    async fn ask(&mut self) -> Option<Result<(), String>> {
        let pool = match self.follow.remote.as_mut()?.next().await {
            Ok(pool) => pool?,
            Err(error) => return Some(Err(error)),
        };
        let before = self.shared.state();
        let state = State::new(&before.config, before.channel.clone(), &pool, &self.shared.metrics);
        Some(state.map(|state| self.shared.replace(state)))
    }

    fn report(&self, done: Result<(), String>, what: &str) {
        let state = self.shared.state();
        match done {
            Ok(()) => {
                tracing::info!(rules = state.rules, "{what} has changed");
                self.shared.metrics.reloaded(Ok(&state.transcoder));
            }
            Err(error) => {
                tracing::error!(error, "{what} is refused, and the one before goes on");
                self.shared.metrics.reloaded(Err(&Error::schema(error)));
            }
        }
    }
}

#[cfg(unix)]
struct Hangup(tokio::signal::unix::Signal);

#[cfg(unix)]
fn hangup() -> io::Result<Hangup> {
    tokio::signal::unix::signal(tokio::signal::unix::SignalKind::hangup()).map(Hangup)
}

#[cfg(unix)]
impl Hangup {
    async fn next(&mut self) {
        if self.0.recv().await.is_none() {
            std::future::pending::<()>().await;
        }
    }
}

#[cfg(not(unix))]
struct Hangup;

#[cfg(not(unix))]
fn hangup() -> io::Result<Hangup> {
    Ok(Hangup)
}

#[cfg(not(unix))]
impl Hangup {
    async fn next(&mut self) {
        std::future::pending::<()>().await;
    }
}

/// Returns a future that is ready when a signal asks the process to stop.
#[cfg(unix)]
fn stop() -> io::Result<impl Future<Output = ()>> {
    use tokio::signal::unix::{SignalKind, signal};
    let (mut interrupt, mut terminate) = (signal(SignalKind::interrupt())?, signal(SignalKind::terminate())?);
    Ok(async move {
        tokio::select! {
            _ = interrupt.recv() => {}
            _ = terminate.recv() => {}
        }
    })
}

#[cfg(not(unix))]
fn stop() -> io::Result<impl Future<Output = ()>> {
    Ok(async {
        if tokio::signal::ctrl_c().await.is_err() {
            std::future::pending::<()>().await;
        }
    })
}

/// Accepts connections until `stop` is ready. Then waits for running requests to end, but only for a limited time.
async fn accept(listener: TcpListener, shared: &Arc<Shared>, stop: impl Future<Output = ()>) {
    let limits = shared.state().config.tables.limits.clone();
    let places = Arc::new(Semaphore::new(*limits.connections.get_ref()));
    let graceful = GracefulShutdown::new();
    let mut stop = std::pin::pin!(stop);
    loop {
        let next = async {
            // The error is impossible, because nothing closes the semaphore.
            let place = Arc::clone(&places).acquire_owned().await.map_err(io::Error::other)?;
            listener.accept().await.map(|(stream, peer)| (stream, peer, place))
        };
        let accepted = tokio::select! {
            accepted = next => accepted,
            () = &mut stop => break,
        };
        match accepted {
            Ok((stream, peer, place)) => {
                tokio::spawn(connection(stream, peer, Arc::clone(shared), graceful.watcher(), place));
            }
            Err(error) => {
                // The error may be temporary: if too many files are open, a connection may close soon.
                tracing::warn!(?error, "no connection can be accepted");
                sleep(Duration::from_millis(50)).await;
            }
        }
    }
    drop(listener);
    tracing::info!("stopping: waiting for requests to end");
    shared.is_stopping.send_replace(true);
    let patience = Duration::from_millis(limits.shutdown_timeout_ms);
    if timeout(patience, graceful.shutdown()).await.is_err() {
        tracing::warn!("some requests did not end in time");
    }
}

async fn connection(
    stream: TcpStream,
    peer: SocketAddr,
    shared: Arc<Shared>,
    watcher: Watcher,
    _place: OwnedSemaphorePermit,
) {
    // Without this option, a response may wait until the client confirms an earlier one.
    let _ = stream.set_nodelay(true);
    let state = shared.state();
    let wait = Duration::from_millis(state.config.tables.limits.head_timeout_ms);
    let mut is_stopping = shared.is_stopping.subscribe();
    let front = Front { shared, peer: Peer::new(peer.ip()).tls(state.tls.is_some()) };
    // When the gateway stops, it does not wait for a client that has not sent a request yet.
    let stopped = async { is_stopping.wait_for(|stopping| *stopping).await.is_ok() };
    match &state.tls {
        None => {
            let begun = tokio::select! {
                begun = timeout(wait, is_http2(&stream)) => begun.ok(),
                _ = stopped => None,
            };
            if let Some(is_http2) = begun {
                http(stream, is_http2, front, wait, watcher).await;
            }
        }
        Some(tls) => {
            let begun = tokio::select! {
                begun = timeout(wait, tls.accept(stream)) => begun.ok().and_then(Result::ok),
                _ = stopped => None,
            };
            if let Some(stream) = begun {
                let is_http2 = stream.get_ref().1.alpn_protocol() == Some(b"h2");
                http(stream, is_http2, front, wait, watcher).await;
            }
        }
    }
}

/// Returns true if a client without TLS starts an HTTP/2 connection.
async fn is_http2(stream: &TcpStream) -> bool {
    let mut start = [0; PREFACE.len()];
    loop {
        match stream.peek(&mut start).await {
            Ok(0) | Err(_) => return false,
            Ok(len) if start[..len] != PREFACE[..len] => return false,
            Ok(len) if len == PREFACE.len() => return true,
            // The start of the preface has arrived. The loop looks again for more bytes.
            Ok(_) => sleep(Duration::from_millis(5)).await,
        }
    }
}

async fn http(
    stream: impl AsyncRead + AsyncWrite + Unpin + Send + 'static,
    is_http2: bool,
    front: Front,
    wait: Duration,
    watcher: Watcher,
) {
    let streams = front.shared.state().config.tables.limits.streams;
    let mut builder = auto::Builder::new(TokioExecutor::new());
    builder = if is_http2 { builder.http2_only() } else { builder.http1_only() };
    builder.http1().timer(TokioTimer::new()).header_read_timeout(wait);
    builder
        .http2()
        .timer(TokioTimer::new())
        .keep_alive_interval(Duration::from_secs(30))
        .max_concurrent_streams(streams);
    let service = service_fn(move |request| {
        let front = front.clone();
        async move { Ok::<_, Infallible>(front.handle(request).await) }
    });
    let connection = builder.serve_connection(TokioIo::new(stream), service);
    // If a client closes the connection early, this is not an error of the gateway.
    let _ = watcher.watch(connection.into_owned()).await;
}
