// SPDX-License-Identifier: BSD-2-Clause

//! What the host is told when it starts; 0 where sctp-proto's own choice holds.

use sctp_proto::{EndpointConfig, TransportConfig};
use std::collections::HashMap;

const HEADERS: u32 = 28; // of a packet with one DATA chunk

pub struct Settings {
    pub active: bool,
    pub seed: u64,
    pub endpoint: EndpointConfig,
    pub transport: TransportConfig,
}

impl Settings {
    pub fn from(given: &HashMap<String, u64>) -> Settings {
        let mut endpoint = EndpointConfig::new();
        endpoint.max_payload_size(given["mtu"] as u32 - HEADERS);
        Settings {
            active: given["active"] != 0,
            seed: given["seed"],
            endpoint,
            transport: transport(given),
        }
    }
}

fn transport(given: &HashMap<String, u64>) -> TransportConfig {
    let chosen = |name: &str| Some(given[name]).filter(|value| *value != 0);
    let mut own = TransportConfig::default()
        .with_local_port(given["port"] as u16)
        .with_remote_port(given["peer_port"] as u16);
    if let Some(size) = chosen("rcvbuf") {
        own = own.with_max_receive_buffer_size(size as u32);
    }
    own.initial_tsn = chosen("initial_tsn").map(|tsn| tsn as u32);
    own
}
