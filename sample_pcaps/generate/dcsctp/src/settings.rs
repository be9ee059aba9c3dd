// SPDX-License-Identifier: BSD-2-Clause

//! What the host is told when it starts; 0 where dcSCTP's own choice holds.

use dcsctp::api::Options;
use std::collections::HashMap;
use std::time::Duration;

const SEND_BUFFER: usize = 16 << 20;

pub struct Settings {
    pub active: bool,
    pub seed: u64,
    pub undelivered: usize, // bytes above which the application stops; 0: it does not
    pub undelivered_low: usize, // until when
    pub options: Options,
}

impl Settings {
    pub fn from(given: &HashMap<String, u64>) -> Settings {
        Settings {
            active: given["active"] != 0,
            seed: given["seed"],
            undelivered: given["undelivered"] as usize,
            undelivered_low: given["undelivered_low"] as usize,
            options: options(given),
        }
    }
}

fn options(given: &HashMap<String, u64>) -> Options {
    let chosen = |name: &str| Some(given[name]).filter(|value| *value != 0);
    let own = Options::default();
    Options {
        local_port: given["port"] as u16,
        remote_port: given["peer_port"] as u16,
        mtu: given["mtu"] as usize,
        max_receiver_window_buffer_size: chosen("rcvbuf")
            .map_or(own.max_receiver_window_buffer_size, |size| size as usize),
        max_send_buffer_size: chosen("sndbuf").map_or(SEND_BUFFER, |size| size as usize),
        per_stream_send_queue_limit: chosen("sndbuf").map_or(SEND_BUFFER, |size| size as usize),
        rto_min: chosen("rto_min").map_or(own.rto_min, Duration::from_millis),
        max_burst: chosen("max_burst").map_or(own.max_burst, |packets| packets as i32),
        enable_message_interleaving: given["interleaving"] != 0,
        initial_tsn: chosen("initial_tsn").map(|tsn| tsn as u32),
        ..own
    }
}
