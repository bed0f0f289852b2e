//! Faults in everything around a run: futures that are dropped, panics, broken clocks and timers, neighbours that die. What
//! a run holds is given back, and the next run is none the wiser.

mod cancelled;
mod crowd;
mod panics;
mod scene;
mod time;
