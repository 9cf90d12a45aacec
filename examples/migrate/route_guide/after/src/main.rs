//! A server that knows places along a route, and a client that makes all four kinds of calls and checks the answers.

mod data;
mod server;

include!(concat!(env!("OUT_DIR"), "/tobu.rs"));

use routeguide::route_guide_client::RouteGuideClient;
use routeguide::route_guide_server::RouteGuideServer;
use routeguide::{Point, Rectangle, RouteNote, RouteSummary};
use std::error::Error;
use tokio::net::TcpListener;
use tokio_stream::StreamExt;
use tokio_stream::wrappers::TcpListenerStream;
use tonic::transport::{Channel, Server};

type Outcome = Result<(), Box<dyn Error>>;

#[tokio::main]
async fn main() -> Outcome {
    let guide = RouteGuideServer::new(server::Guide::new(data::load()?));
    let listener = TcpListener::bind("127.0.0.1:0").await?;
    let address = listener.local_addr()?;
    tokio::spawn(Server::builder().add_service(guide).serve_with_incoming(TcpListenerStream::new(listener)));

    let mut client = RouteGuideClient::connect(format!("http://{address}")).await?;
    get_feature(&mut client).await?;
    list_features(&mut client).await?;
    record_route(&mut client).await?;
    route_chat(&mut client).await
}

async fn get_feature(client: &mut RouteGuideClient<Channel>) -> Outcome {
    let feature =
        client.get_feature(Point { latitude: 413628156, longitude: -749015468 }).await?.into_inner();
    assert_eq!(feature.name, "Stone bridge");
    println!("{} is at {:?}", feature.name, feature.location.unwrap_or_default().latitude);

    let nowhere = client.get_feature(Point { latitude: 1, longitude: 1 }).await?.into_inner();
    assert_eq!(nowhere.name, "");
    assert_eq!(nowhere.location, Some(Point { latitude: 1, longitude: 1 }));
    Ok(())
}

async fn list_features(client: &mut RouteGuideClient<Channel>) -> Outcome {
    let area = Rectangle {
        lo: Some(Point { latitude: 400000000, longitude: -750000000 }),
        hi: Some(Point { latitude: 410000000, longitude: -730000000 }),
    };
    let mut features = client.list_features(area).await?.into_inner();
    let mut names = Vec::new();
    while let Some(feature) = features.message().await? {
        names.push(feature.name);
    }
    assert_eq!(names, ["Orchard Lake", "The old mill"]);
    println!("in the area: {}", names.join(", "));

    let status = client.list_features(Rectangle { lo: None, hi: None }).await.unwrap_err();
    assert_eq!(status.code(), tonic::Code::InvalidArgument);
    Ok(())
}

async fn record_route(client: &mut RouteGuideClient<Channel>) -> Outcome {
    let route = vec![
        Point { latitude: 407838351, longitude: -746143763 },
        Point { latitude: 407900000, longitude: -745000000 },
        Point { latitude: 408122808, longitude: -743999179 },
    ];
    let summary = client.record_route(tokio_stream::iter(route)).await?.into_inner();
    assert_eq!(summary, RouteSummary { point_count: 3, feature_count: 2, distance: 18_433 });
    println!("{} points, {} features, {} m", summary.point_count, summary.feature_count, summary.distance);
    Ok(())
}

async fn route_chat(client: &mut RouteGuideClient<Channel>) -> Outcome {
    let mill = Point { latitude: 408122808, longitude: -743999179 };
    let note = |message: &str| RouteNote { location: Some(mill), message: message.to_owned() };
    let notes = vec![note("Nice view"), note("Closed on Mondays"), note("Mind the dog")];
    let answers = client.route_chat(tokio_stream::iter(notes)).await?.into_inner();
    let answers: Vec<RouteNote> = answers.collect::<Result<_, _>>().await?;
    assert_eq!(answers, [note("Nice view"), note("Nice view"), note("Closed on Mondays")]);
    println!("{} notes came back", answers.len());
    Ok(())
}
