//! The record, the clients and their messages, in order of time.

use std::cmp::Reverse;
use std::collections::BinaryHeap;
use std::time::Duration;

use rand_distr::{Distribution as _, Normal};

use super::wait::Memory;
use super::{Settings, Wait};
use crate::Error;
use crate::draws::{Generator, draws, generator};

/// One simulation.
pub(super) struct Played {
    pub(super) calls: u32,
    pub(super) end: Duration,
}

/// A message on its way. Ordered by arrival; messages that arrive together keep the order in which they were sent.
#[derive(PartialEq, Eq, PartialOrd, Ord)]
struct Message {
    arrival: Duration,
    number: u64,
    client: usize,
    content: Content,
}

#[derive(PartialEq, Eq, PartialOrd, Ord)]
enum Content {
    Read,
    Version(u32),
    Write(u32),
    Written(bool),
}

/// The messages under way and the network that slows them down.
struct Network {
    under_way: BinaryHeap<Reverse<Message>>,
    sent: u64,
    leg: Normal<f64>,
    generator: Generator,
}

impl Network {
    fn send(&mut self, at: Duration, client: usize, content: Content) {
        let seconds = self.leg.sample(&mut self.generator).abs();
        let leg = Duration::try_from_secs_f64(seconds).unwrap_or_default();
        self.under_way.push(Reverse(Message { arrival: at.saturating_add(leg), number: self.sent, client, content }));
        self.sent += 1;
    }
}

pub(super) fn play(settings: &Settings, clients: u32, wait: Wait, repeat: u64) -> Result<Played, Error> {
    let leg = Normal::new(settings.leg.as_secs_f64(), settings.deviation.as_secs_f64())
        .map_err(|_| Error::Setting("the deviation of a message must be a finite time".to_owned()))?;
    let policy = wait.policy(settings)?;
    let random = draws(settings.seed, 2 * repeat);
    let mut network =
        Network { under_way: BinaryHeap::new(), sent: 0, leg, generator: generator(settings.seed, 2 * repeat + 1) };
    let mut memories = vec![Memory::new(settings); clients as usize];
    for client in 0..memories.len() {
        network.send(Duration::ZERO, client, Content::Read);
    }
    let mut version = 0;
    let mut played = Played { calls: 0, end: Duration::ZERO };
    while let Some(Reverse(Message { arrival: now, client, content, .. })) = network.under_way.pop() {
        played.end = now;
        match content {
            Content::Read => network.send(now, client, Content::Version(version)),
            Content::Version(seen) => network.send(now, client, Content::Write(seen)),
            Content::Write(seen) => {
                played.calls += 1;
                let fits = seen == version;
                version += u32::from(fits);
                network.send(now, client, Content::Written(fits));
            }
            Content::Written(true) => {}
            Content::Written(false) => {
                let sleep = memories[client].conflict(wait, policy.as_ref(), settings, now, &random);
                network.send(now.saturating_add(sleep), client, Content::Read);
            }
        }
    }
    Ok(played)
}
