//! A layer whose rules can change while the program runs.

mod file;
#[cfg(feature = "remote")]
mod remote;

use std::convert::Infallible;
use std::fmt;
use std::future::Future;
use std::hash::{BuildHasher, RandomState};
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;

use tobu::Pool;
use tokio::sync::watch;
use tower_layer::Layer;

pub use self::file::DescriptorFile;
#[cfg(feature = "remote")]
pub use self::remote::RemoteSchema;
use super::{Observer, Rules, TranscodeService, Transcoder, TranscoderBuilder};
use crate::error::{Error, Result};

/// A source of a schema that may change.
pub trait SchemaSource: Send {
    /// Returns the schema. The first call always returns it. A later call returns `None` if the schema has not changed.
    ///
    /// # Errors
    /// The schema cannot be loaded, or is not valid. Use [`Error::schema`] for the error. A later call may succeed.
    fn next(&mut self) -> impl Future<Output = Result<Option<Pool>>> + Send;
}

/// A layer that does the same as [`Transcoder`], but whose rules can change while the program runs.
///
/// New rules apply to all requests that come after the change. A request that has begun keeps the old rules. If a schema is
/// not valid, the rules stay unchanged. The error is logged, and reported to the [`Observer`](crate::Observer).
///
/// All clones, and all services of this layer, have the same rules.
///
/// ```
/// # let pool = tobu_transcode_schemas::pool();
/// use tobu_transcode::{Live, Transcoder};
///
/// let live = Live::new(Transcoder::builder().pool(&pool).all_services())?;
/// // tower::ServiceBuilder::new().layer(live.clone()).service(grpc)
/// assert_eq!(live.current().router().routes().len(), 14);
///
/// // A schema without rules would be the end of the service.
/// let error = live.reload(&tobu::Pool::new()).unwrap_err();
/// assert_eq!(error.to_string(), "no method of the pool has a google.api.http rule");
/// assert_eq!(live.current().router().routes().len(), 14);
/// # Ok::<(), tobu_transcode::Error>(())
/// ```
///
/// A task can follow a source, which means that it polls the source for new schemas:
///
/// ```no_run
/// # tokio::runtime::Builder::new_current_thread().build().unwrap().block_on(async {
/// use std::time::Duration;
/// use tobu_transcode::{DescriptorFile, Live, Transcoder};
///
/// let mut file = DescriptorFile::new("set.binpb");
/// let live = Live::load(Transcoder::builder().all_services(), &mut file).await?;
/// let following = live.clone();
/// tokio::spawn(async move { following.follow(file, Duration::from_secs(1)).await });
/// # Ok::<(), tobu_transcode::Error>(())
/// # });
/// ```
#[derive(Clone)]
pub struct Live(Arc<Inner>);

struct Inner {
    /// The builder of the current transcoder, with the current pool. Each change of the rules locks the builder, so that
    /// changes happen one after the other.
    recipe: Mutex<TranscoderBuilder>,
    current: watch::Sender<Transcoder>,
}

impl Live {
    /// Creates a layer that starts with the pool of the builder. A later pool replaces this pool.
    ///
    /// # Errors
    /// Fails if [`TranscoderBuilder::build`] would fail.
    pub fn new(recipe: TranscoderBuilder) -> Result<Self> {
        let current = watch::Sender::new(recipe.clone().build()?);
        Ok(Live(Arc::new(Inner { recipe: Mutex::new(recipe), current })))
    }

    /// Creates a layer that starts with the pool of a source.
    ///
    /// # Errors
    /// The source returns no schema, or [`TranscoderBuilder::build`] fails.
    pub async fn load(recipe: TranscoderBuilder, source: &mut impl SchemaSource) -> Result<Self> {
        match source.next().await? {
            Some(pool) => Self::new(recipe.pool(&pool)),
            None => Err(Error::schema("the source has nothing new to tell")),
        }
    }

    /// Returns the current transcoder.
    pub fn current(&self) -> Transcoder {
        self.0.current.borrow().clone()
    }

    /// Uses the rules of a pool, from the next request on.
    ///
    /// # Errors
    /// Fails if [`TranscoderBuilder::build`] would fail. The rules are then unchanged.
    pub fn reload(&self, pool: &Pool) -> Result<()> {
        self.change(|now| now.clone().pool(pool))
    }

    /// Uses all settings of a builder, from the next request on: the services, configurations of rules, options, limits,
    /// headers, documents and the observer. If the builder has no pool, the current pool stays. The builder is also used for
    /// later pools.
    ///
    /// ```
    /// # let pool = tobu_transcode_schemas::pool();
    /// use tobu_transcode::{Live, ServiceConfig, TranscodeOptions, Transcoder};
    ///
    /// let builder = || Transcoder::builder().service("library.v1.Library");
    /// let live = Live::new(builder().pool(&pool))?;
    ///
    /// let config = ServiceConfig::from_yaml("http: {rules: [{selector: library.v1.Library.GetBook, get: '/v2/{name=**}'}]}")?;
    /// live.replace(builder().config(config).options(TranscodeOptions::new().trailing_slash(true)))?;
    /// assert!(live.current().router().find(&http::Method::GET, "/v2/shelves/1/books/2/").is_ok());
    ///
    /// // What cannot be served changes nothing.
    /// assert!(live.replace(builder().page("/")).is_err());
    /// assert!(live.current().router().find(&http::Method::GET, "/v2/shelves/1/books/2/").is_ok());
    /// # Ok::<(), tobu_transcode::Error>(())
    /// ```
    ///
    /// # Errors
    /// Fails if [`TranscoderBuilder::build`] would fail. Nothing is then changed, and the current observer gets the
    /// error.
    pub fn replace(&self, recipe: TranscoderBuilder) -> Result<()> {
        self.change(|now| recipe.or_pool_of(now))
    }

    /// Lets a function change the current builder, builds the result, and serves it.
    ///
    /// # Errors
    /// Fails if [`TranscoderBuilder::build`] would fail. Nothing is then changed.
    fn change(&self, make: impl FnOnce(&TranscoderBuilder) -> TranscoderBuilder) -> Result<()> {
        // If a thread panicked while it held the lock, it had not yet changed the builder.
        let mut now = self.0.recipe.lock().unwrap_or_else(PoisonError::into_inner);
        let recipe = make(&now);
        let done = recipe.clone().build();
        if let Ok(transcoder) = &done {
            tracing::info!(rules = transcoder.router().routes().len(), "the rules have changed");
            self.0.current.send_replace(transcoder.clone());
            *now = recipe;
        }
        // The lock is released first, because an observer may change the rules again.
        let observer = now.current_observer();
        drop(now);
        match done {
            Ok(transcoder) => {
                observer.inspect(|observer| observer.reloaded(Ok(&transcoder)));
                Ok(())
            }
            Err(error) => {
                refuse(observer, &error);
                Err(error)
            }
        }
    }

    /// Polls a source for its schema at an interval. The future never ends by itself. To stop polling, drop the future.
    ///
    /// If the same error occurs several times in a row, it is logged and reported to the observer only once.
    pub async fn follow(&self, mut source: impl SchemaSource, every: Duration) -> Infallible {
        let mut reported = None;
        loop {
            tokio::time::sleep(every).await;
            match source.next().await {
                Ok(None) => reported = None,
                Ok(Some(pool)) => {
                    reported = None;
                    let live = self.clone();
                    // Compiling thousands of rules takes time, so a blocking thread does it. `reload` reports errors in
                    // the rules.
                    let reloaded = tokio::task::spawn_blocking(move || live.reload(&pool)).await;
                    if let Err(error) = reloaded {
                        self.refuse(&Error::schema(error));
                    }
                }
                Err(error) => {
                    let text = Some(error.to_string());
                    if reported != text {
                        self.refuse(&error);
                        reported = text;
                    }
                }
            }
        }
    }

    fn refuse(&self, error: &Error) {
        let observer = self.0.recipe.lock().unwrap_or_else(PoisonError::into_inner).current_observer();
        refuse(observer, error);
    }
}

fn refuse(observer: Option<Arc<dyn Observer>>, error: &Error) {
    // The text is a field of the event, because fields are escaped. So text of another server cannot begin a new line in the
    // log.
    tracing::error!(error = error.to_string(), "the rules stay as they were");
    observer.inspect(|observer| observer.reloaded(Err(error)));
}

impl fmt::Debug for Live {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_tuple("Live").field(&self.current()).finish()
    }
}

impl<S> Layer<S> for Live {
    type Service = TranscodeService<S>;

    fn layer(&self, inner: S) -> TranscodeService<S> {
        TranscodeService { inner, rules: Rules::Live(self.clone()) }
    }
}

/// Identifies the last descriptor set of a source, without keeping it.
#[derive(Debug, Default)]
struct Last {
    hasher: RandomState,
    hash: Option<u64>,
}

impl Last {
    /// Remembers a descriptor set. Returns true if it differs from the set before.
    fn differs(&mut self, set: &[u8]) -> bool {
        let hash = Some(self.hasher.hash_one(set));
        std::mem::replace(&mut self.hash, hash) != hash
    }

    fn forget(&mut self) {
        self.hash = None;
    }
}
