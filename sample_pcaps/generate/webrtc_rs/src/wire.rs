// SPDX-License-Identifier: BSD-2-Clause

//! The connection below SCTP: what leaves is reported, what arrives waits until it is read.

use crate::host::report;
use async_trait::async_trait;
use std::any::Any;
use std::net::SocketAddr;
use tokio::sync::mpsc::{unbounded_channel, UnboundedReceiver, UnboundedSender};
use tokio::sync::Mutex;
use webrtc_util::{Conn, Error};

pub struct Wire {
    arrive: UnboundedSender<Vec<u8>>,
    arrived: Mutex<UnboundedReceiver<Vec<u8>>>,
}

impl Wire {
    pub fn new() -> Wire {
        let (arrive, arrived) = unbounded_channel();
        Wire {
            arrive,
            arrived: Mutex::new(arrived),
        }
    }

    pub fn accept(&self, packet: &[u8]) {
        let _ = self.arrive.send(packet.to_vec()); // it is there to receive
    }
}

type Result<T> = std::result::Result<T, Error>;

/// Below SCTP nobody asks for an address.
#[async_trait]
impl Conn for Wire {
    async fn recv(&self, buffer: &mut [u8]) -> Result<usize> {
        let packet = self.arrived.lock().await.recv().await.unwrap_or_default();
        buffer[..packet.len()].copy_from_slice(&packet);
        Ok(packet.len())
    }

    async fn send(&self, packet: &[u8]) -> Result<usize> {
        report::packet(packet);
        Ok(packet.len())
    }

    async fn connect(&self, _: SocketAddr) -> Result<()> {
        Ok(())
    }

    async fn recv_from(&self, _: &mut [u8]) -> Result<(usize, SocketAddr)> {
        Err(Error::ErrNoRemAddr)
    }

    async fn send_to(&self, _: &[u8], _: SocketAddr) -> Result<usize> {
        Err(Error::ErrNoRemAddr)
    }

    fn local_addr(&self) -> Result<SocketAddr> {
        Err(Error::ErrNoRemAddr)
    }

    fn remote_addr(&self) -> Option<SocketAddr> {
        None
    }

    async fn close(&self) -> Result<()> {
        Ok(())
    }

    fn as_any(&self) -> &(dyn Any + Send + Sync) {
        self
    }
}
