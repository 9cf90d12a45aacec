//! A program that calls a method of a service in it, and prints no message: `tests/contents.rs` looks into it.

use std::pin::pin;
use std::task::{Context, Poll, Waker};
use tobu_generated_tests::stubs::stubs::v1::{Thing, desk_client::DeskClient, desk_server};
use tobu_tonic::codegen::tonic::{Request, Response, Status};

struct Desk;

impl desk_server::Desk for Desk {
    async fn lend(&self, request: Request<Thing>) -> Result<Response<Thing>, Status> {
        Ok(Response::new(request.into_inner()))
    }
}

fn main() {
    let mut client = DeskClient::new(desk_server::DeskServer::new(Desk));
    println!("{:?}", wait(client.lend(Thing::default())).map(drop).map_err(|status| status.code()));
    println!("{:?}", wait(client.connect_(Thing::default())).map(drop).map_err(|status| status.code()));
}

/// The result of a call to a server in this thread, which is there when it is polled.
fn wait<T>(call: impl Future<Output = T>) -> T {
    let mut call = pin!(call);
    loop {
        if let Poll::Ready(result) = call.as_mut().poll(&mut Context::from_waker(Waker::noop())) {
            return result;
        }
    }
}
