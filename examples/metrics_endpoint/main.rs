//! Runs counted for Prometheus: a real endpoint on a free port, scraped once, and the dashboard that goes with it.
//!
//! Point a Prometheus at `/metrics` of a program like this one, and import `examples/metrics_endpoint/dashboard.json` into
//! Grafana.

use std::error::Error;
use std::io::{Read as _, Write as _};
use std::net::{SocketAddr, TcpListener, TcpStream};

use backoff_core::{exponential_backoff, metrics};
use metrics_exporter_prometheus::{Matcher, PrometheusBuilder, PrometheusHandle};

/// Answers every scrape with what was counted so far.
fn serve(numbers: PrometheusHandle) -> std::io::Result<SocketAddr> {
    let listener = TcpListener::bind("127.0.0.1:0")?;
    let address = listener.local_addr()?;
    std::thread::spawn(move || {
        for scrape in listener.incoming().flatten() {
            // A scrape that goes away is the scraper's business.
            let _ = answer(scrape, &numbers.render());
        }
    });
    Ok(address)
}

fn answer(mut scrape: TcpStream, text: &str) -> std::io::Result<()> {
    let mut request = [0; 1024];
    let _ = scrape.read(&mut request)?;
    write!(
        scrape,
        "HTTP/1.1 200 OK\r\ncontent-type: text/plain; version=0.0.4\r\ncontent-length: {}\r\nconnection: close\r\n\r\n{text}",
        text.len()
    )
}

/// What a scraper does.
fn scrape(address: SocketAddr) -> std::io::Result<String> {
    let mut stream = TcpStream::connect(address)?;
    stream.write_all(b"GET /metrics HTTP/1.1\r\nhost: localhost\r\n\r\n")?;
    let mut answer = String::new();
    stream.read_to_string(&mut answer)?;
    Ok(answer.split_once("\r\n\r\n").map_or_else(String::new, |(_, body)| body.to_owned()))
}

#[exponential_backoff(initial = "1ms", budget = "20ms", jitter = "full", name = "load user", when = |status| *status >= 500)]
fn load(answers: &mut Vec<u16>) -> Result<u16, u16> {
    match answers.pop() {
        Some(200) => Ok(200),
        Some(status) => Err(status),
        None => Err(503),
    }
}

fn main() -> Result<(), Box<dyn Error>> {
    let buckets = [0.001, 0.01, 0.1, 1.0, 10.0, 60.0];
    let recorder = PrometheusBuilder::new()
        .set_buckets_for_metric(Matcher::Full(metrics::DELAY.to_owned()), &buckets)?
        .build_recorder();
    let address = serve(recorder.handle())?;
    ::metrics::set_global_recorder(recorder)?;
    metrics::report();

    for mut answers in [vec![200], vec![200, 503], vec![404], vec![]] {
        match load(&mut answers) {
            Ok(status) => println!("success: {status}"),
            Err(status) => println!("failure: {status}"),
        }
    }

    let text = scrape(address)?;
    println!("\nhttp://{address}/metrics says:\n\n{text}");
    for outcome in ["first_try", "after_retries", "permanent", "exhausted_budget"] {
        let line = format!("backoff_runs_total{{name=\"load user\",outcome=\"{outcome}\"}} 1");
        if !text.contains(&line) {
            return Err(format!("the scrape has no line {line}").into());
        }
    }
    Ok(())
}
