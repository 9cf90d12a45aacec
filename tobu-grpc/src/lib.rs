#![doc = include_str!("../README.md")]

mod client;
mod message;

pub use client::{Call, Client, Receiver, Sender};
pub use message::{Received, Sent};
