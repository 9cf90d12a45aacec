//! The gRPC health checking service.
//!
//! Specification: <https://github.com/grpc/grpc/blob/master/doc/health-checking.md>.
//!
//! This module is in layer 2 of the crate: it implements a generated trait, like the services of users.

/// The code that `tobu-build` generates from `proto/`. The golden tests of `tobu-build` check that it is up to date.
mod generated {
    include!("generated.rs");
}

pub use generated::grpc::health::v1;
pub use v1::health_check_response::ServingStatus;

use std::collections::{BTreeMap, HashMap};
use std::fmt;
use std::pin::Pin;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::task::{Context, Poll, Waker};

use futures_core::Stream;
use tonic::{Request, Response, Status};
use v1::health_server::{Health, HealthServer};
use v1::{HealthCheckRequest, HealthCheckResponse, HealthListRequest, HealthListResponse};

/// Reports whether a server and its services can take calls. Load balancers, Kubernetes' probes and `grpc_health_probe` ask
/// for these statuses.
///
/// Clones share their statuses, so a program can keep a clone and change the statuses that the server reports. The empty name
/// stands for the server as a whole, whose status is `SERVING` from the start.
///
/// ```
/// # use tobu_tonic_service::reading::v1::reading_room_server;
/// # use tobu_tonic_service::run;
/// use tobu_tonic::HealthService;
/// use tobu_tonic::health::ServingStatus;
/// use tobu_tonic::health::v1::{HealthCheckRequest, health_client::HealthClient};
///
/// # run(async {
/// let health = HealthService::new();
/// health.set(reading_room_server::SERVICE_NAME, ServingStatus::SERVING);
///
/// // `server` goes to `tonic::transport::Server::add_service`.
/// let mut client = HealthClient::new(health.server());
/// let request = HealthCheckRequest { service: "reading.v1.ReadingRoom".into(), ..Default::default() };
/// assert_eq!(client.check(request).await?.into_inner().status, ServingStatus::SERVING);
/// # Ok(())
/// # });
/// ```
#[derive(Clone)]
pub struct HealthService(Arc<Mutex<Statuses>>);

#[derive(Default)]
struct Statuses {
    by_name: BTreeMap<String, ServingStatus>,
    /// True after [`HealthService::shutdown`]. Then no status can change.
    is_shut_down: bool,
    /// The wakers of watches that wait for a change, by the numbers of the watches.
    watches: HashMap<u64, Waker>,
    next_watch: u64,
}

impl HealthService {
    /// Creates a health service for a server that is `SERVING`. No services are known yet.
    pub fn new() -> Self {
        let by_name = BTreeMap::from([(String::new(), ServingStatus::SERVING)]);
        HealthService(Arc::new(Mutex::new(Statuses { by_name, ..Statuses::default() })))
    }

    /// Sets the status of a service, given by its full name, or of the server as a whole, given by an empty name. Watches
    /// report the new status.
    ///
    /// After [`shutdown`](Self::shutdown), this function has no effect.
    pub fn set(&self, service: impl Into<String>, status: ServingStatus) {
        self.change(|statuses| {
            statuses.by_name.insert(service.into(), status);
        });
    }

    /// Removes a service. Watches report that the service is unknown.
    pub fn remove(&self, service: &str) {
        self.change(|statuses| {
            statuses.by_name.remove(service);
        });
    }

    /// Sets every status to `NOT_SERVING`, so that clients make no new calls while the server finishes the open calls. No
    /// status can change after this.
    pub fn shutdown(&self) {
        self.change(|statuses| {
            statuses.by_name.values_mut().for_each(|status| *status = ServingStatus::NOT_SERVING);
            statuses.is_shut_down = true;
        });
    }

    /// Returns the gRPC service `grpc.health.v1.Health`.
    pub fn server(&self) -> HealthServer<Self> {
        HealthServer::new(self.clone())
    }

    /// Returns how many watches wait for a change.
    pub fn open_watches(&self) -> usize {
        self.statuses().watches.len()
    }

    fn statuses(&self) -> MutexGuard<'_, Statuses> {
        // The lock may be poisoned, but no change can panic halfway, so the statuses are consistent.
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn change(&self, change: impl FnOnce(&mut Statuses)) {
        let mut statuses = self.statuses();
        if statuses.is_shut_down {
            return;
        }
        change(&mut statuses);
        let wakers: Vec<Waker> = statuses.watches.drain().map(|(_, waker)| waker).collect();
        // A woken task may poll at once, on this thread, and take the lock. So the lock must be free.
        drop(statuses);
        wakers.into_iter().for_each(Waker::wake);
    }
}

impl Default for HealthService {
    fn default() -> Self {
        HealthService::new()
    }
}

impl fmt::Debug for HealthService {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_tuple("HealthService").field(&self.statuses().by_name).finish()
    }
}

impl Health for HealthService {
    type WatchStream = Watch;

    async fn check(
        &self,
        request: Request<HealthCheckRequest>,
    ) -> Result<Response<HealthCheckResponse>, Status> {
        let service = request.into_inner().service;
        match self.statuses().by_name.get(&service) {
            Some(status) => Ok(Response::new(response(*status))),
            None => Err(Status::not_found(format!("there is no service {service:?}"))),
        }
    }

    async fn list(&self, _: Request<HealthListRequest>) -> Result<Response<HealthListResponse>, Status> {
        let statuses = self.statuses();
        let statuses = statuses.by_name.iter().map(|(name, status)| (name.clone(), response(*status)));
        Ok(Response::new(HealthListResponse { statuses: statuses.collect(), ..Default::default() }))
    }

    async fn watch(&self, request: Request<HealthCheckRequest>) -> Result<Response<Watch>, Status> {
        let mut statuses = self.statuses();
        let number = statuses.next_watch;
        statuses.next_watch += 1;
        drop(statuses);
        let service = request.into_inner().service;
        Ok(Response::new(Watch { health: self.clone(), service, number, last: None }))
    }
}

fn response(status: ServingStatus) -> HealthCheckResponse {
    HealthCheckResponse { status, ..Default::default() }
}

/// A stream of the statuses of a service: the current status, and then a message for each change. If the status changes
/// again before the client has read the last message, the stream leaves out the status in between.
pub struct Watch {
    health: HealthService,
    service: String,
    number: u64,
    last: Option<ServingStatus>,
}

impl Stream for Watch {
    type Item = Result<HealthCheckResponse, Status>;

    fn poll_next(mut self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<Option<Self::Item>> {
        let this = &mut *self;
        let mut statuses = this.health.statuses();
        let known = statuses.by_name.get(&this.service).copied();
        let status = known.unwrap_or(ServingStatus::SERVICE_UNKNOWN);
        if this.last == Some(status) {
            statuses.watches.insert(this.number, context.waker().clone());
            return Poll::Pending;
        }
        drop(statuses);
        this.last = Some(status);
        Poll::Ready(Some(Ok(response(status))))
    }
}

impl Drop for Watch {
    fn drop(&mut self) {
        self.health.statuses().watches.remove(&self.number);
    }
}

impl fmt::Debug for Watch {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Watch")
            .field("service", &self.service)
            .field("last", &self.last)
            .finish_non_exhaustive()
    }
}
