//! Pictures and pages: well formed, legible, and the same data everywhere.

use backoff_lab::chart::{self, Terminal};
use backoff_lab::herd::{Settings, herd};
use backoff_lab::report::{Axis, Cell, Colour, Figure, Marks, Panel, Report, Series, Table};
use backoff_lab::{html, plot};
use proptest::prelude::*;

fn a_herd() -> Report {
    herd(&Settings { clients: 20, ..Settings::default() }).unwrap().report()
}

/// The contents of all elements of a kind, without those of others.
fn elements<'a>(text: &'a str, name: &str) -> Vec<&'a str> {
    let open = format!("<{name} ");
    text.split(&open).skip(1).filter_map(|rest| rest.split("/>").next()).collect()
}

#[test]
fn a_picture_is_light_or_dark_as_the_reader_likes() {
    let svg = plot::svg(&a_herd().figure.unwrap(), 860).unwrap();
    assert!(svg.contains("<style>@media (prefers-color-scheme:dark){[fill=\"#FFFFFF\"]{fill:#0D1117}"));
    let used: Vec<_> = svg.split("fill=\"#").skip(1).map(|rest| &rest[..6]).collect();
    let style = svg.split("</style>").next().unwrap();
    let unknown: Vec<_> = used.iter().filter(|colour| !style.contains(&format!("[fill=\"#{colour}\"]"))).collect();
    assert!(unknown.is_empty(), "no dark shade for {unknown:?}");
}

#[test]
fn every_panel_is_inside_and_named() {
    for width in [360_u16, 860] {
        let figure = a_herd().figure.unwrap();
        let svg = plot::svg(&figure, width).unwrap();
        for panel in &figure.panels {
            assert!(svg.contains(&panel.title) && svg.contains(&panel.note), "{}", panel.title);
        }
        let right = f64::from(width) * 4.0;
        let places = elements(&svg, "polyline").into_iter().chain(elements(&svg, "polygon"));
        let points = places.filter_map(|element| element.split("points=\"").nth(1)?.split('"').next());
        let xs: Vec<f64> =
            points.flat_map(str::split_whitespace).filter_map(|point| point.split(',').next()?.parse().ok()).collect();
        assert!(xs.len() > 100 && xs.iter().all(|x| (0.0..=right).contains(x)), "{width}");
    }
}

#[test]
fn a_page_needs_nothing_else_and_escapes_what_it_shows() {
    let mut table = Table::new("<b>", ["a & b"]);
    table.push([Cell::from("\"x\" < y")]);
    let report = Report::new("<script>").sentence("set `a < b`").warning("no `end").table(table);
    let page = html::page(&report).unwrap();
    for part in [
        "<title>&lt;script&gt;</title>",
        "<p>set <code>a &lt; b</code></p>",
        "<p class=\"warning\">no end</p>",
        "<h2>&lt;b&gt;</h2>",
        "<th class=\"text\">a &amp; b</th>",
        "<td class=\"text\">&quot;x&quot; &lt; y</td>",
    ] {
        assert!(page.contains(part), "{part} is not in {page}");
    }
    let page = html::page(&a_herd()).unwrap();
    assert_eq!(page.matches("<svg ").count(), 2, "one for a desk, one for a phone");
    assert!(!page.contains("http:") && !page.contains("https:") && !page.contains("src="));
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 64, ..ProptestConfig::default() })]

    #[test]
    fn any_numbers_can_be_drawn(
        ys in prop::collection::vec(prop_oneof![any::<f64>(), -10.0..1e6], 0..40),
        width in 0_u16..2_000,
        columns in 0_usize..5,
        high in prop_oneof![any::<f64>(), 0.0..1e6],
        log: bool,
    ) {
        let points: Vec<_> = (0..).map(f64::from).zip(ys).collect();
        let axis = if log { Axis::log("y", 0.1, high) } else { Axis::up_to("y", high) };
        let series = |marks| Series { name: "s".into(), colour: Colour::Blue, marks };
        let panel = |marks| Panel { title: "t".into(), note: "n".into(), y: axis.clone(), series: vec![series(marks)], level: Some((1.0, "one".into())) };
        let figure = Figure {
            title: "f".into(),
            caption: "c".into(),
            x: Axis::linear("x", 0.0, 40.0),
            panels: vec![panel(Marks::Area(points.clone())), panel(Marks::Line(points))],
            columns,
        };
        prop_assert!(plot::svg(&figure, width).is_ok());
        let text = chart::text(&figure, Terminal { width: usize::from(width), colours: false });
        prop_assert!(text.starts_with("f\nc\n"));
    }
}
