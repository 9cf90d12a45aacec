//! Loads the features that the server knows from a JSON file.

use crate::routeguide::{Feature, Point};
use serde::Deserialize;

#[derive(Deserialize)]
struct Place {
    location: Location,
    name: String,
}

#[derive(Deserialize)]
struct Location {
    latitude: i32,
    longitude: i32,
}

/// Parses the JSON file that is compiled into the program.
pub fn load() -> serde_json::Result<Vec<Feature>> {
    let places: Vec<Place> = serde_json::from_str(include_str!("../data/features.json"))?;
    Ok(places.into_iter().map(feature).collect())
}

fn feature(place: Place) -> Feature {
    let Location { latitude, longitude } = place.location;
    Feature { name: place.name, location: Some(Point { latitude, longitude }) }
}
