//! Fleets of clients in front of one service, simulated on the real engine.
