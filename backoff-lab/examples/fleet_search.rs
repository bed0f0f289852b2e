//! Scratch.
use backoff_lab::fleet::*;
use std::time::{Duration, Instant};
fn show(s: &Scenario, st: &Strategy) {
    let t = Instant::now();
    let o = simulate(s, st, 1).unwrap();
    println!(
        "{:28} served {:6.2}% calls {:6.2} peak {:6.2} 99% {:?} x {:?} whole {:?} p50 {:?} p99 {:?} givenup {:.2}%  [{:?}]",
        st.name,
        o.served_share() * 100.,
        o.calls_per_request(),
        o.peak(),
        o.served_99.map(|d| d.as_secs_f64()),
        o.times_optimum(),
        o.whole_again(),
        o.latency(0.5),
        o.latency(0.99),
        o.given_up_share() * 100.,
        t.elapsed()
    );
}
fn main() {
    let which = std::env::args().nth(1).unwrap_or_default();
    if which.contains('h') {
        let h = Scenario::herd();
        for st in Strategy::all(&h) {
            if st.name != "none" || which.contains('n') {
                show(&h, &st)
            }
        }
        show(&h, &Strategy::hinted(&h));
    }
    if which.contains('t') {
        for (load, cost) in [(0.7, 0.1), (0.9, 0.4)] {
            let mut s = Scenario::traffic(load);
            s.server.refusal_cost = cost;
            println!("load {load} cost {cost}");
            for st in Strategy::all(&s) {
                show(&s, &st)
            }
            show(&s, &Strategy::hinted(&s));
            show(&s, &Strategy::fixed(&s, Duration::from_secs(1)));
            let f = Strategy::full(&s);
            let p = f.policy.max_attempts(10);
            show(&s, &Strategy::new("full 10", p));
        }
        for (load, cost) in [(0.8, 0.4), (0.9, 0.0), (0.9, 0.1), (0.9, 0.2), (0.9, 0.3), (0.95, 0.4)] {
            let mut s = Scenario::traffic(load);
            s.server.refusal_cost = cost;
            println!("load {load} cost {cost}");
            show(&s, &Strategy::full(&s));
        }
    }
}
