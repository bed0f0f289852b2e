use backoff_core::exponential_backoff;

struct Log(String);

impl Log {
    #[exponential_backoff]
    fn last(&mut self) -> Result<&str, ()> {
        self.0.push('a');
        Ok(&self.0)
    }
}

fn main() {}
