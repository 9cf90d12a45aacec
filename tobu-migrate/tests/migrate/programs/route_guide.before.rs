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
            if feature.location.as_ref() == Some(&point) {
                return Ok(Response::new(feature.clone()));
            }
        }
        // Nobody has named it.
        Ok(Response::new(Feature { location: Some(point), ..Default::default() }))
    }

    fn list_features(&self, request: Request<Rectangle>) -> Vec<Feature> {
        let area = request.into_inner();
        let inside = |feature: &&Feature| feature.location.as_ref().is_some_and(|point| contains(&area, point));
        self.features.iter().filter(inside).cloned().collect()
    }

    async fn record_route(&self, mut points: Streaming<Point>) -> Result<RouteSummary, Status> {
        let mut summary = RouteSummary::default();
        let mut last: Option<Point> = None;
        while let Some(point) = points.message().await? {
            summary.point_count += 1;
            if self.features.iter().any(|feature| feature.location == Some(point.clone())) {
                summary.feature_count += 1;
            }
            if let Some(last) = &last {
                summary.distance += distance(last, &point);
            }
            last = Some(point);
        }
        Ok(summary)
    }

    /// Leaves a note, and returns those that were there.
    fn leave(&mut self, note: RouteNote) -> Vec<RouteNote> {
        let here = self.notes.entry(key(&note.location.clone().unwrap_or_default())).or_default();
        let earlier = here.clone();
        if !note.message.trim().is_empty() {
            here.push(note);
        }
        earlier
    }
}

fn key(point: &Point) -> String {
    format!("{},{}", point.latitude, point.longitude)
}

fn contains(area: &Rectangle, point: &Point) -> bool {
    let (Some(lo), Some(hi)) = (&area.lo, &area.hi) else {
        return false;
    };
    let between = |value: i32, a: i32, b: i32| (a.min(b)..=a.max(b)).contains(&value);
    between(point.latitude, lo.latitude, hi.latitude)
        && between(point.longitude, lo.longitude, hi.longitude)
}

fn distance(from: &Point, to: &Point) -> i32 {
    let Point { latitude, longitude, .. } = from;
    (to.latitude - latitude).abs() + (to.longitude - longitude).abs()
}

async fn client(mut client: RouteGuideClient<Channel>) -> Result<(), Status> {
    let feature = client.get_feature(Point { latitude: 409, longitude: -746, ..Default::default() }).await?.into_inner();
    assert_eq!(feature.name, "Stone bridge");
    let area = Rectangle {
        // The south-west.
        lo: Some(Point { latitude: 400, longitude: -750, ..Default::default() }),
        hi: feature.location,
        ..Default::default()
    };
    let mut features = client.list_features(area).await?.into_inner();
    let mut names = Vec::new();
    while let Some(feature) = features.message().await? {
        names.push(feature.name);
    }
    println!("{}", names.join(", "));
    Ok(())
}
