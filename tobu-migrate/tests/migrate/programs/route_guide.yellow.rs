//! A server that knows places along a route, and a client that asks it.

mod proto {
    tobu::include_proto!();
}

use proto::route_guide::route_guide_client::RouteGuideClient;
use proto::route_guide::{Feature, Point, Rectangle, RouteNote, RouteSummary};
use std::collections::HashMap;
use tonic::transport::Channel;
use tonic::{Request, Response, Status, Streaming};

struct Guide {
    features: Vec<Feature>,
    notes: HashMap<String, Vec<RouteNote>>,
}

impl Guide {
    async fn get_feature(&self, request: Request<Point>) -> Result<Response<Feature>, Status> {
        let point = request.into_inner();
        for feature in &self.features {
            if feature.has_location().then(|| feature.location()) == Some(&point) {
                return Ok(Response::new(feature.clone()));
            }
        }
        // Nobody has named it.
        Ok(Response::new(Feature::builder().location(point).build()))
    }

    fn list_features(&self, request: Request<Rectangle>) -> Vec<Feature> {
        let area = request.into_inner();
        let inside = |feature: &&Feature| feature.has_location().then(|| feature.location()).is_some_and(|point| contains(&area, point));
        self.features.iter().filter(inside).cloned().collect()
    }

    async fn record_route(&self, mut points: Streaming<Point>) -> Result<RouteSummary, Status> {
        let mut summary = RouteSummary::default();
        let mut last: Option<Point> = None;
        while let Some(point) = points.message().await? {
            *summary.point_count_mut() += 1;
            if self.features.iter().any(|feature| feature.has_location() && *feature.location() == point.clone()) {
                *summary.feature_count_mut() += 1;
            }
            if let Some(last) = &last {
                *summary.distance_mut() += distance(last, &point);
            }
            last = Some(point);
        }
        Ok(summary)
    }

    /// Leaves a note, and returns those that were there.
    fn leave(&mut self, note: RouteNote) -> Vec<RouteNote> {
        let here = self.notes.entry(key(note.location())).or_default();
        let earlier = here.clone();
        if !note.message().trim().is_empty() {
            here.push(note);
        }
        earlier
    }
}

fn key(point: &Point) -> String {
    format!("{},{}", point.latitude(), point.longitude())
}

fn contains(area: &Rectangle, point: &Point) -> bool {
    let (Some(lo), Some(hi)) = (area.has_lo().then(|| area.lo()), area.has_hi().then(|| area.hi())) else {
        return false;
    };
    let between = |value: i32, a: i32, b: i32| (a.min(b)..=a.max(b)).contains(&value);
    between(point.latitude(), lo.latitude(), hi.latitude())
        && between(point.longitude(), lo.longitude(), hi.longitude())
}

fn distance(from: &Point, to: &Point) -> i32 {
    let Point { latitude, longitude, .. } = from;
    (to.latitude() - latitude).abs() + (to.longitude() - longitude).abs()
}

async fn client(mut client: RouteGuideClient<Channel>) -> Result<(), Status> {
    let feature = client.get_feature(Point::builder().latitude(409).longitude(-746).build()).await?.into_inner();
    assert_eq!(feature.name(), "Stone bridge");
    let area = Rectangle::builder()
        // The south-west.
        .lo(Point::builder().latitude(400).longitude(-750).build())
        .maybe_hi(feature.location)
        .build();
    let mut features = client.list_features(area).await?.into_inner();
    let mut names = Vec::new();
    while let Some(feature) = features.message().await? {
        names.push(feature.name);
    }
    println!("{}", names.join(", "));
    Ok(())
}

// green: 25, yellow: 0, red: 0
// 77:9: by hand: a pattern takes a message apart
// 87:21: red: it is moved out of the message, which must be `mut` then
// 93:28: red: it is moved out of the message, which must be `mut` then
