//! The service: one function for each kind of call.

use crate::routeguide::route_guide_server::RouteGuide;
use crate::routeguide::{Feature, Point, Rectangle, RouteNote, RouteSummary};
use std::collections::HashMap;
use std::pin::Pin;
use std::sync::{Arc, Mutex};
use tokio::sync::mpsc;
use tokio_stream::wrappers::ReceiverStream;
use tokio_stream::{Stream, StreamExt};
use tonic::{Request, Response, Status, Streaming};

pub struct Guide {
    features: Arc<Vec<Feature>>,
    notes: Arc<Mutex<HashMap<Point, Vec<RouteNote>>>>,
}

impl Guide {
    pub fn new(features: Vec<Feature>) -> Self {
        Self { features: Arc::new(features), notes: Arc::default() }
    }
}

#[tonic::async_trait]
impl RouteGuide for Guide {
    async fn get_feature(&self, request: Request<Point>) -> Result<Response<Feature>, Status> {
        let point = request.into_inner();
        let found = self.features.iter().find(|feature| feature.location == Some(point));
        let unnamed = Feature { name: String::new(), location: Some(point) };
        Ok(Response::new(found.cloned().unwrap_or(unnamed)))
    }

    type ListFeaturesStream = ReceiverStream<Result<Feature, Status>>;

    async fn list_features(
        &self,
        request: Request<Rectangle>,
    ) -> Result<Response<Self::ListFeaturesStream>, Status> {
        let area = request.into_inner();
        if area.lo.is_none() || area.hi.is_none() {
            return Err(Status::invalid_argument("a rectangle has two corners"));
        }
        let (sender, receiver) = mpsc::channel(4);
        let features = self.features.clone();
        tokio::spawn(async move {
            let inside =
                features.iter().filter(|feature| contains(&area, &feature.location.unwrap_or_default()));
            for feature in inside {
                if sender.send(Ok(feature.clone())).await.is_err() {
                    break; // The client went away.
                }
            }
        });
        Ok(Response::new(ReceiverStream::new(receiver)))
    }

    async fn record_route(
        &self,
        request: Request<Streaming<Point>>,
    ) -> Result<Response<RouteSummary>, Status> {
        let mut points = request.into_inner();
        let mut summary = RouteSummary::default();
        let mut last: Option<Point> = None;
        while let Some(point) = points.next().await {
            let point = point?;
            summary.point_count += 1;
            if self.features.iter().any(|feature| feature.location.as_ref() == Some(&point)) {
                summary.feature_count += 1;
            }
            if let Some(last) = &last {
                summary.distance += distance(last, &point);
            }
            last = Some(point);
        }
        Ok(Response::new(summary))
    }

    type RouteChatStream = Pin<Box<dyn Stream<Item = Result<RouteNote, Status>> + Send>>;

    async fn route_chat(
        &self,
        request: Request<Streaming<RouteNote>>,
    ) -> Result<Response<Self::RouteChatStream>, Status> {
        let mut incoming = request.into_inner();
        let notes = self.notes.clone();
        let (sender, receiver) = mpsc::channel(4);
        tokio::spawn(async move {
            while let Some(note) = incoming.next().await {
                let earlier = match note {
                    Ok(note) => leave(&notes, note).into_iter().map(Ok).collect(),
                    Err(status) => vec![Err(status)],
                };
                for note in earlier {
                    if sender.send(note).await.is_err() {
                        return;
                    }
                }
            }
        });
        Ok(Response::new(Box::pin(ReceiverStream::new(receiver))))
    }
}

/// Adds a note to its point, and returns the earlier notes at this point.
fn leave(notes: &Mutex<HashMap<Point, Vec<RouteNote>>>, note: RouteNote) -> Vec<RouteNote> {
    let mut notes = notes.lock().unwrap();
    let here = notes.entry(note.location.unwrap_or_default()).or_default();
    let earlier = here.clone();
    here.push(note);
    earlier
}

fn contains(area: &Rectangle, point: &Point) -> bool {
    let (lo, hi) = (area.lo.unwrap_or_default(), area.hi.unwrap_or_default());
    let between = |value: i32, a: i32, b: i32| (a.min(b)..=a.max(b)).contains(&value);
    between(point.latitude, lo.latitude, hi.latitude) && between(point.longitude, lo.longitude, hi.longitude)
}

/// Computes the distance in meters with the haversine formula.
fn distance(from: &Point, to: &Point) -> i32 {
    const EARTH_RADIUS: f64 = 6_371_000.0;
    let radians = |degrees: i32| (f64::from(degrees) / 1e7).to_radians();
    let (from_latitude, to_latitude) = (radians(from.latitude), radians(to.latitude));
    let latitude = to_latitude - from_latitude;
    let longitude = radians(to.longitude) - radians(from.longitude);
    let a = (latitude / 2.0).sin().powi(2)
        + from_latitude.cos() * to_latitude.cos() * (longitude / 2.0).sin().powi(2);
    (EARTH_RADIUS * 2.0 * a.sqrt().atan2((1.0 - a).sqrt())) as i32
}
