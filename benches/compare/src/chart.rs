//! A task as a picture: how fast each library is next to tobu, a dot for each data set and a bar for the mean.

use crate::report::TaskResult;
use std::fmt::Write;

const LEFT: f64 = 190.0;
const WIDTH: f64 = 520.0;
const ROW: f64 = 24.0;
const TOP: f64 = 56.0;

/// The chart as SVG.
pub fn svg(result: &TaskResult) -> String {
    let libraries: Vec<(&str, bool, Vec<f64>)> = result
        .libraries()
        .iter()
        .map(|library| {
            let ratios =
                result.rows.iter().filter_map(|row| Some(row.rate(library.name)? / row.rate_of_ours()?));
            (library.name, library.ours, ratios.collect())
        })
        .collect();
    let all = || libraries.iter().flat_map(|(_, _, ratios)| ratios.iter().copied());
    let least = all().fold(1.0, f64::min).log2().floor();
    let most = all().fold(1.0, f64::max).log2().ceil();
    let x = |ratio: f64| LEFT + WIDTH * (ratio.log2() - least) / (most - least).max(1.0);
    let height = TOP + ROW * libraries.len() as f64 + 40.0;
    let bottom = TOP + ROW * libraries.len() as f64;

    let mut svg = format!(
        "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"760\" height=\"{height}\" viewBox=\"0 0 760 {height}\" \
         font-family=\"sans-serif\" font-size=\"12\" fill=\"#24292f\">\n\
         <rect width=\"100%\" height=\"100%\" fill=\"#ffffff\"/>\n\
         <text x=\"16\" y=\"24\" font-size=\"15\" font-weight=\"bold\">{}</text>\n\
         <text x=\"16\" y=\"42\" fill=\"#57606a\">{}; speed next to tobu's, a dot for each data set</text>\n",
        result.task.name(),
        result.task.about(),
    );
    for power in least as i32..=most as i32 {
        let ratio = 2f64.powi(power);
        let (x, color) = (x(ratio), if power == 0 { "#57606a" } else { "#d0d7de" });
        let label = if power < 0 { format!("1/{}", 1 << -power) } else { format!("{}", 1 << power) };
        let _ = writeln!(
            svg,
            "<line x1=\"{x:.1}\" y1=\"{TOP}\" x2=\"{x:.1}\" y2=\"{bottom}\" stroke=\"{color}\"/>\
             <text x=\"{x:.1}\" y=\"{:.1}\" text-anchor=\"middle\" fill=\"#57606a\">{label}</text>",
            bottom + 18.0,
        );
    }
    for (index, (name, ours, ratios)) in libraries.iter().enumerate() {
        let y = TOP + ROW * (index as f64 + 0.5);
        let color = if *ours { "#1a7f37" } else { "#0969da" };
        let weight = if *ours { "bold" } else { "normal" };
        let _ = writeln!(
            svg,
            "<text x=\"{:.1}\" y=\"{:.1}\" text-anchor=\"end\" font-weight=\"{weight}\">{name}</text>",
            LEFT - 12.0,
            y + 4.0,
        );
        for ratio in ratios {
            let _ = writeln!(
                svg,
                "<circle cx=\"{:.1}\" cy=\"{y:.1}\" r=\"3.5\" fill=\"{color}\" fill-opacity=\"0.4\"/>",
                x(*ratio),
            );
        }
        let mean = (ratios.iter().map(|ratio| ratio.ln()).sum::<f64>() / ratios.len() as f64).exp();
        let _ = writeln!(
            svg,
            "<rect x=\"{:.1}\" y=\"{:.1}\" width=\"3\" height=\"18\" fill=\"{color}\"/>",
            x(mean) - 1.5,
            y - 9.0,
        );
    }
    svg + "</svg>\n"
}
