//! A chart with two logarithmic axes: lines through points.
//!
//! The font is embedded (Ubuntu Light), so that a figure looks the same on a machine without fonts.

use std::ops::Range;
use std::path::{Path, PathBuf};

use plotters::coord::Shift;
use plotters::coord::combinators::{BindKeyPoints, IntoLogRange};
use plotters::prelude::*;
use plotters::style::register_font;
use plotters::style::text_anchor::{HPos, Pos, VPos};

use crate::error::BenchError;

/// Width and height in pixels.
const SIZE: (u32, u32) = (1040, 540);
/// How many numbers have room on the x axis.
const MOST_TICKS: f64 = 14.0;
/// Width of the part on the right that has the legend.
const LEGEND_WIDTH: u32 = 260;
/// The font's name.
const FONT: &str = "sans-serif";
/// Colours of the series: Okabe and Ito's, which colour-blind readers tell apart.
const COLOURS: [RGBColor; 7] = [
    RGBColor(0, 114, 178),
    RGBColor(213, 94, 0),
    RGBColor(0, 158, 115),
    RGBColor(204, 121, 167),
    RGBColor(230, 159, 0),
    RGBColor(86, 180, 233),
    RGBColor(90, 90, 90),
];

/// One line.
#[derive(Clone, Debug, PartialEq)]
pub struct Series {
    /// What it is, for the legend.
    pub name: String,
    /// Points, by ascending x; all positive.
    pub points: Vec<(f64, f64)>,
    /// What it is compared with: thin and hollow.
    pub reference: bool,
    /// Which colour.
    pub colour: usize,
}

impl Series {
    fn colour(&self) -> RGBAColor {
        COLOURS.get(self.colour % COLOURS.len()).copied().unwrap_or(BLACK).to_rgba()
    }

    fn line(&self) -> ShapeStyle {
        self.colour().stroke_width(if self.reference { 1 } else { 3 })
    }

    fn dot(&self) -> ShapeStyle {
        ShapeStyle { color: self.colour(), filled: !self.reference, stroke_width: 1 }
    }
}

/// A figure.
#[derive(Clone, Debug, PartialEq)]
pub struct Chart {
    /// The files' name.
    pub name: &'static str,
    /// One line above.
    pub title: String,
    /// What goes to the right.
    pub x: &'static str,
    /// What goes up.
    pub y: &'static str,
    /// The lines.
    pub series: Vec<Series>,
}

impl Chart {
    /// Draws `NAME.svg` and `NAME.png`.
    pub fn draw(&self, directory: &Path) -> Result<[PathBuf; 2], BenchError> {
        let registered = register_font(FONT, FontStyle::Normal, epaint_default_fonts::UBUNTU_LIGHT);
        registered.map_err(|_| BenchError::Plot("the embedded font is broken".to_owned()))?;
        let (svg, png) =
            (directory.join(self.name).with_extension("svg"), directory.join(self.name).with_extension("png"));
        self.draw_on(&SVGBackend::new(&svg, SIZE).into_drawing_area())?;
        self.draw_on(&BitMapBackend::new(&png, SIZE).into_drawing_area())?;
        Ok([svg, png])
    }

    fn draw_on<B: DrawingBackend>(&self, area: &DrawingArea<B, Shift>) -> Result<(), BenchError> {
        area.fill(&WHITE).map_err(failed)?;
        let (left, right) = area.split_horizontally(SIZE.0 - LEGEND_WIDTH);
        let (x, y) = (self.range(|point| point.0, 1.3), self.range(|point| point.1, 2.0));
        let (x_ticks, y_ticks) = (self.ticks_of_x(&x), decades(&y));
        let mut chart = ChartBuilder::on(&left)
            .caption(&self.title, (FONT, 20))
            .margin(14)
            .x_label_area_size(48)
            .y_label_area_size(80)
            .build_cartesian_2d(x.log_scale().with_key_points(x_ticks), y.log_scale().with_key_points(y_ticks))
            .map_err(failed)?;
        chart
            .configure_mesh()
            .x_desc(self.x)
            .y_desc(self.y)
            .x_label_formatter(&|value| short(*value))
            .y_label_formatter(&|value| short(*value))
            .label_style((FONT, 15))
            .axis_desc_style((FONT, 17))
            .light_line_style(TRANSPARENT)
            .bold_line_style(RGBColor(220, 220, 220))
            .draw()
            .map_err(failed)?;
        for series in &self.series {
            let line = LineSeries::new(series.points.iter().copied(), series.line());
            chart.draw_series(line).map_err(failed)?;
            let dots = series.points.iter().map(|point| Circle::new(*point, 4, series.dot()));
            chart.draw_series(dots).map_err(failed)?;
        }
        self.draw_legend(&right)?;
        area.present().map_err(failed)
    }

    /// The names of the lines, beside the chart where they hide nothing.
    fn draw_legend<B: DrawingBackend>(&self, area: &DrawingArea<B, Shift>) -> Result<(), BenchError> {
        let style = TextStyle::from((FONT, 15).into_font()).pos(Pos::new(HPos::Left, VPos::Center));
        for (place, series) in (0..).zip(&self.series) {
            let y = 60 + 26 * place;
            area.draw(&PathElement::new([(4, y), (28, y)], series.line())).map_err(failed)?;
            area.draw(&Circle::new((16, y), 4, series.dot())).map_err(failed)?;
            area.draw(&Text::new(series.name.as_str(), (36, y), style.clone())).map_err(failed)?;
        }
        Ok(())
    }

    /// Where points stand on the x axis, or powers of ten where some stand so close together that
    /// their numbers would overlap.
    fn ticks_of_x(&self, range: &Range<f64>) -> Vec<f64> {
        let values = self.values_of_x();
        let room = (range.end / range.start).log10() / MOST_TICKS;
        let apart = values.windows(2).all(|pair| matches!(pair, [one, other] if (other / one).log10() >= room));
        if apart { values } else { decades(range) }
    }

    fn values_of_x(&self) -> Vec<f64> {
        let mut values: Vec<f64> = self.series.iter().flat_map(|series| &series.points).map(|point| point.0).collect();
        values.sort_unstable_by(f64::total_cmp);
        values.dedup();
        values
    }

    /// From the least to the greatest value, with some room on either side.
    fn range(&self, value: impl Fn(&(f64, f64)) -> f64, room: f64) -> Range<f64> {
        let values = || self.series.iter().flat_map(|series| &series.points).map(&value);
        let (low, high) = (values().fold(f64::INFINITY, f64::min), values().fold(0.0, f64::max));
        low / room..high * room
    }
}

fn failed<E: std::error::Error + Send + Sync>(error: DrawingAreaErrorKind<E>) -> BenchError {
    BenchError::Plot(error.to_string())
}

/// 1, 2 and 5 times powers of ten in a range; only the powers where it is wide.
fn decades(range: &Range<f64>) -> Vec<f64> {
    let wide = range.end / range.start > 300.0;
    let steps: &[f64] = if wide { &[1.0] } else { &[1.0, 2.0, 5.0] };
    let powers = range.start.log10().floor() as i32..=range.end.log10().ceil() as i32;
    let ticks = powers.flat_map(|power| steps.iter().map(move |step| step * 10f64.powi(power)));
    ticks.filter(|tick| range.contains(tick)).collect()
}

/// A number as an axis shows it: 0.5, 20, 3k, 10M.
fn short(value: f64) -> String {
    let (scaled, suffix) = match value {
        1e9.. => (value / 1e9, "G"),
        1e6.. => (value / 1e6, "M"),
        1e3.. => (value / 1e3, "k"),
        _ => (value, ""),
    };
    let digits = format!("{scaled:.3}");
    format!("{}{suffix}", digits.trim_end_matches('0').trim_end_matches('.'))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_on_axes_are_short() {
        assert_eq!([0.5, 20.0, 3000.0, 1.5e6, 1e9].map(short), ["0.5", "20", "3k", "1.5M", "1G"]);
    }

    #[test]
    fn a_narrow_axis_has_more_ticks_than_a_wide_one() {
        assert_eq!(decades(&(3.0..60.0)), [5.0, 10.0, 20.0, 50.0]);
        assert_eq!(decades(&(0.5..2000.0)), [1.0, 10.0, 100.0, 1000.0]);
    }

    #[test]
    fn both_files_of_a_chart_hold_a_picture() {
        let points = vec![(1.0, 10.0), (2.0, 20.0), (32.0, 200.0)];
        let series =
            [false, true].map(|reference| Series { name: "line".into(), points: points.clone(), reference, colour: 0 });
        let chart = Chart { name: "test", title: "A title".into(), x: "right", y: "up", series: series.to_vec() };
        let directory = tempfile::tempdir().unwrap();
        let [svg, png] = chart.draw(directory.path()).unwrap();
        let svg = std::fs::read_to_string(svg).unwrap();
        assert!(svg.starts_with("<svg") && svg.contains("A title") && svg.matches("<circle").count() == 8);
        let png = std::fs::read(png).unwrap();
        assert!(png.starts_with(b"\x89PNG") && png.len() > 5000);
    }
}
