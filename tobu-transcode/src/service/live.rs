//! Rules that change while they serve.

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
    /// Returns the schema: always the first time, and then whenever it has changed.
    ///
    /// # Errors
    /// It cannot be had, or is none: see [`Error::schema`]. A later call may succeed.
    fn next(&mut self) -> impl Future<Output = Result<Option<Pool>>> + Send;
}

/// A [`Transcoder`] whose rules may change while it serves.
///
/// It is a tower layer, like a transcoder. A request keeps the rules that it began with; new rules apply to the next
/// request at once and as a whole. If a schema is not valid, the rules stay unchanged: the error is logged, and
/// reported to the [`Observer`](crate::Observer).
///
/// All clones, and all services made from them, have the same rules.
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
/// A task can follow a source, and poll its schema again and again:
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
    /// The builder that turns each pool into a transcoder, with the current pool. A change of the rules locks it, so
    /// that changes happen one after the other.
    recipe: Mutex<TranscoderBuilder>,
    current: watch::Sender<Transcoder>,
}

impl Live {
    /// Starts with the pool of the builder; each later pool replaces it.
    ///
    /// # Errors
    /// Fails if [`TranscoderBuilder::build`] would fail.
    pub fn new(recipe: TranscoderBuilder) -> Result<Self> {
        let current = watch::Sender::new(recipe.clone().build()?);
        Ok(Live(Arc::new(Inner { recipe: Mutex::new(recipe), current })))
    }

    /// Starts with the pool of a source.
    ///
    /// # Errors
    /// The source has no schema, or as [`TranscoderBuilder::build`].
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

    /// Takes the rules of a pool, from the next request on.
    ///
    /// # Errors
    /// Fails if [`TranscoderBuilder::build`] would fail. The rules are then unchanged.
    pub fn reload(&self, pool: &Pool) -> Result<()> {
        self.change(|now| now.clone().pool(pool))
    }

    /// Takes all that a builder has, from the next request on: services, configurations of rules, options, limits,
    /// headers, documents and the observer. If the builder has no pool, the current pool stays. Later pools are used
    /// with this builder.
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
        // A thread that panicked has changed nothing.
        let mut now = self.0.recipe.lock().unwrap_or_else(PoisonError::into_inner);
        let recipe = make(&now);
        let done = recipe.clone().build();
        if let Ok(transcoder) = &done {
            tracing::info!(rules = transcoder.router().routes().len(), "the rules have changed");
            self.0.current.send_replace(transcoder.clone());
            *now = recipe;
        }
        // An observer may change the rules again.
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

    /// Polls a source for its schema at an interval; ends when it is dropped.
    ///
    /// An error is logged and reported to the observer once, until the error changes.
    pub async fn follow(&self, mut source: impl SchemaSource, every: Duration) -> Infallible {
        let mut reported = None;
        loop {
            tokio::time::sleep(every).await;
            match source.next().await {
                Ok(None) => reported = None,
                Ok(Some(pool)) => {
                    reported = None;
                    let live = self.clone();
                    // Compiling thousands of rules takes time. Their errors were reported when this returns.
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
    // As a field it is escaped: text from another server cannot start a new log line.
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
    /// True when the set is another one than the last.
    fn differs(&mut self, set: &[u8]) -> bool {
        let hash = Some(self.hasher.hash_one(set));
        std::mem::replace(&mut self.hash, hash) != hash
    }

    fn forget(&mut self) {
        self.hash = None;
    }
}
