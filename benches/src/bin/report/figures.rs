//! All that was measured, by name, in the order in which it was.

use std::path::Path;

#[derive(Debug, Default)]
pub struct Figures(Vec<(String, f64)>);

impl Figures {
    /// Adds a figure, or replaces it.
    pub fn add(&mut self, name: impl Into<String>, figure: f64) {
        let name = name.into();
        match self.0.iter_mut().find(|(known, _)| *known == name) {
            Some((_, known)) => *known = figure,
            None => self.0.push((name, figure)),
        }
    }

    /// What was measured before and kept in a file; nothing, if there is none.
    pub fn kept(file: &Path) -> Self {
        let mut figures = Self::default();
        figures.read("", &std::fs::read_to_string(file).unwrap_or_default());
        figures
    }

    /// Keeps what was measured until now.
    pub fn keep(&self, file: &Path) -> std::io::Result<()> {
        let lines: Vec<String> = self.0.iter().map(|(name, figure)| format!("{name}\t{figure}\n")).collect();
        std::fs::write(file, lines.concat())
    }

    pub fn get(&self, name: &str) -> Option<f64> {
        self.0.iter().find(|(known, _)| known == name).map(|(_, figure)| *figure)
    }

    /// Those whose names begin with a prefix, without it.
    pub fn under<'a>(&'a self, prefix: &'a str) -> impl Iterator<Item = (&'a str, f64)> {
        self.0.iter().filter_map(move |(name, figure)| Some((name.strip_prefix(prefix)?, *figure)))
    }

    pub fn ratio(&self, name: &str, reference: &str) -> Option<f64> {
        Some(self.get(name)? / self.get(reference)?)
    }

    /// Adds every line of the form `name<TAB>figure`.
    pub fn read(&mut self, prefix: &str, text: &str) {
        for (name, figure) in text.lines().filter_map(|line| line.split_once('\t')) {
            if let Ok(figure) = figure.parse() {
                self.add(format!("{prefix}{name}"), figure);
            }
        }
    }
}
