//! What an HTTP client must be able to do on several threads. In a browser it needs nothing, because a program there has one
//! thread, and futures of JavaScript are bound to that thread.

use std::future::Future;
use std::pin::Pin;

/// A future in a box.
#[cfg(not(all(target_family = "wasm", target_os = "unknown")))]
pub(super) type BoxFuture<T> = Pin<Box<dyn Future<Output = T> + Send>>;

/// A future in a box.
#[cfg(all(target_family = "wasm", target_os = "unknown"))]
pub(super) type BoxFuture<T> = Pin<Box<dyn Future<Output = T>>>;

/// Is implemented for all types that are [`Send`].
#[cfg(not(all(target_family = "wasm", target_os = "unknown")))]
pub trait SendOutsideBrowsers: Send {}

#[cfg(not(all(target_family = "wasm", target_os = "unknown")))]
impl<T: Send> SendOutsideBrowsers for T {}

/// Is implemented for all types.
#[cfg(all(target_family = "wasm", target_os = "unknown"))]
pub trait SendOutsideBrowsers {}

#[cfg(all(target_family = "wasm", target_os = "unknown"))]
impl<T> SendOutsideBrowsers for T {}
