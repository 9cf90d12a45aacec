//! The faults behind the proxy: connections that are cut, a server that is away, and one that is started anew.

use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;

use tobu_gateway_bench::Error;
use tobu_gateway_bench::process::Server;

use crate::client::Client;
use crate::kinds::Told;
use crate::relay::Relay;
use crate::rest::Rest;

/// From the end of a fault to the next one.
const CALM: Duration = Duration::from_secs(2);
/// How long a server is away.
const AWAY: Duration = Duration::from_millis(300);
/// How long it may take until the proxy reaches it again.
const RECOVERY: Duration = Duration::from_secs(20);

/// How many requests `probe` has sent, of which any may have failed.
static PROBES: AtomicU64 = AtomicU64::new(0);

/// The requests of all probes, for the ledger: method, and what the observer was told.
pub fn probes() -> impl Iterator<Item = (&'static str, Told)> {
    (0..PROBES.load(Ordering::SeqCst)).map(|_| ("GET", Told::Any("GetBook")))
}

/// The server behind the proxy, and whether it can be reached.
pub struct Weather {
    relay: Relay,
    server: Mutex<Option<Server>>,
    /// Odd while the server cannot be reached.
    epoch: AtomicU64,
    is_over: AtomicBool,
}

impl Weather {
    /// Starts the server.
    ///
    /// # Errors
    /// It cannot be started.
    pub async fn start() -> Result<Self, Error> {
        let relay = Relay::start().await?;
        let server = server().await?;
        relay.switch(Some(&server.address));
        let (epoch, is_over) = (AtomicU64::new(0), AtomicBool::new(false));
        Ok(Weather { relay, server: Mutex::new(Some(server)), epoch, is_over })
    }

    /// Where the proxy finds the server.
    pub fn address(&self) -> String {
        self.relay.address.to_string()
    }

    /// Which fault was the last one.
    pub fn epoch(&self) -> u64 {
        self.epoch.load(Ordering::SeqCst)
    }

    /// Whether the server could not be reached for a part of the time since then.
    pub fn was_away_since(&self, epoch: u64) -> bool {
        epoch % 2 == 1 || self.epoch() != epoch
    }

    /// No more faults.
    pub fn end(&self) {
        self.is_over.store(true, Ordering::SeqCst);
    }

    fn swap(&self, server: Option<Server>) -> Option<Server> {
        std::mem::replace(&mut *self.server.lock().unwrap_or_else(PoisonError::into_inner), server)
    }

    /// One fault.
    async fn fault(&self, number: u64) -> Result<(), Error> {
        let old = self.swap(None).ok_or("there is no server")?;
        let new = match number % 3 {
            0 => old,
            1 => {
                self.relay.switch(None);
                tokio::time::sleep(AWAY).await;
                old
            }
            _ => {
                old.kill().await?;
                tokio::time::sleep(AWAY).await;
                server().await?
            }
        };
        self.relay.switch(Some(&new.address));
        self.swap(Some(new));
        Ok(())
    }
}

async fn server() -> Result<Server, Error> {
    let program = std::env::current_exe()?.with_file_name("server");
    Server::start(&program, &["native"], None).await
}

/// Faults until it is over; their number.
///
/// # Errors
/// The server cannot be started anew, or is not reached any more.
pub async fn storms(weather: Arc<Weather>, proxy: String) -> Result<u64, Error> {
    let mut count = 0;
    loop {
        tokio::time::sleep(CALM).await;
        if weather.is_over.load(Ordering::SeqCst) {
            return Ok(count);
        }
        weather.epoch.fetch_add(1, Ordering::SeqCst);
        weather.fault(count).await?;
        count += 1;
        probe(&proxy).await?;
        weather.epoch.fetch_add(1, Ordering::SeqCst);
    }
}

/// Waits until a request is answered.
///
/// # Errors
/// None is for long.
pub async fn probe(address: &str) -> Result<(), Error> {
    let exchange = Rest::Get.exchange(0)?;
    let answered = async {
        loop {
            PROBES.fetch_add(1, Ordering::SeqCst);
            let came = Client::new(address).exchange(&exchange).await;
            if matches!(came, Ok(Some((200, _)))) {
                return;
            }
            tokio::time::sleep(Duration::from_millis(20)).await;
        }
    };
    let done = tokio::time::timeout(RECOVERY, answered).await;
    done.map_err(|_| format!("{address} does not answer any more").into())
}
