// SPDX-License-Identifier: BSD-2-Clause

//! What the host is told when it starts; 0 where webrtc-sctp's own choice holds.

use crate::wire::Wire;
use std::collections::HashMap;
use std::sync::Arc;
use webrtc_sctp::association::Config;

pub struct Settings {
    pub active: bool,
    pub seed: u64,
    mtu: u32,
    rcvbuf: u32,
    initial_tsn: u32,
    port: u16,
    peer_port: u16,
}

impl Settings {
    pub fn from(given: &HashMap<String, u64>) -> Settings {
        Settings {
            active: given["active"] != 0,
            seed: given["seed"],
            mtu: given["mtu"] as u32,
            rcvbuf: given["rcvbuf"] as u32,
            initial_tsn: given["initial_tsn"] as u32,
            port: given["port"] as u16,
            peer_port: given["peer_port"] as u16,
        }
    }

    pub fn association(&self, wire: Arc<Wire>) -> Config {
        Config {
            net_conn: wire,
            max_receive_buffer_size: self.rcvbuf,
            max_message_size: 0,
            mtu: self.mtu,
            name: String::new(),
            local_port: self.port,
            remote_port: self.peer_port,
            initial_tsn: self.initial_tsn,
        }
    }
}
