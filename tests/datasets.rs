//! Every recorded data set decodes into generated types and encodes to equal content, unknown fields included.
//!
//! The data sets are not part of the project: they are looked for in `../shared`, or where `TOBU_SHARED` points.

#[cfg(not(tobu_datasets))]
#[test]
fn data_sets() {
    println!("there are no data sets in ../shared/datasets: nothing was checked; set TOBU_SHARED to say where they are");
}
