//! All that was measured, by name, in the order in which it was.

#[derive(Debug, Default)]
pub struct Figures(Vec<(String, f64)>);

impl Figures {
    pub fn add(&mut self, name: impl Into<String>, figure: f64) {
        self.0.push((name.into(), figure));
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
