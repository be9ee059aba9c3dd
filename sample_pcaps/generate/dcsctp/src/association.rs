// SPDX-License-Identifier: BSD-2-Clause

//! One association of dcSCTP: what the application sends on it and reads from it.

use crate::host::{report, Host, Message as Asked};
use crate::settings::Settings;
use dcsctp::api::{
    DcSctpSocket, LifecycleId, Message, Metrics, PpId, SendError, SendOptions, Socket, SocketEvent,
    SocketTime, StreamId,
};
use std::collections::{HashMap, VecDeque};
use std::time::Duration;

const WEBRTC_BINARY: PpId = PpId(53); // RFC 8831, section 8

pub struct Association {
    socket: Socket,
    active: bool,
    reading: bool,
    now: Duration,
    counted: Option<Metrics>,       // as long as there was an association
    waiting: VecDeque<Written>,     // what the application could not send yet
    under_way: HashMap<u64, usize>, // bytes of what is not delivered, where the application counts it
    sent: u64,
    full: bool,
    burst: i32, // packets that left at once, last
    most_burst: i32,
    most: usize,
    low: usize,
}

struct Written {
    stream: u16,
    size: usize,
    options: SendOptions,
}

impl Association {
    pub fn new(settings: &Settings) -> Association {
        Association {
            socket: Socket::new("host", &settings.options),
            active: settings.active,
            reading: true,
            now: Duration::ZERO,
            counted: None,
            waiting: VecDeque::new(),
            under_way: HashMap::new(),
            sent: 0,
            full: false,
            burst: 0,
            most_burst: settings.options.max_burst,
            most: settings.undelivered,
            low: settings.undelivered_low,
        }
    }

    /// Until the stack refuses one, or the application has more under way than it wants.
    fn send_waiting(&mut self) {
        while let Some(written) = self.waiting.front() {
            self.full &= self.under_way.values().sum::<usize>() > self.low;
            if self.full {
                return;
            }
            self.sent += 1;
            let options = SendOptions {
                lifecycle_id: LifecycleId::new(self.sent).filter(|_| self.most > 0),
                ..written.options
            };
            let (stream, size) = (StreamId(written.stream), written.size);
            let message = Message::new(stream, WEBRTC_BINARY, vec![0; size]);
            match self.socket.send(message, &options) {
                Err(SendError::ResourceExhaustion) => return,
                other => other.expect("a message that can be sent"),
            }
            if self.most > 0 {
                self.under_way.insert(self.sent, size);
                self.full = self.under_way.values().sum::<usize>() > self.most;
            }
            self.waiting.pop_front();
        }
    }

    fn take_events(&mut self) {
        self.take_some();
        if !self.waiting.is_empty() {
            self.send_waiting();
            self.take_some();
        }
    }

    fn take_some(&mut self) {
        while let Some(event) = self.socket.poll_event() {
            match event {
                SocketEvent::SendPacket(packet) => {
                    self.burst += 1;
                    report::packet(&packet)
                }
                SocketEvent::OnConnected() => report::tell(format_args!("up")),
                SocketEvent::OnClosed() | SocketEvent::OnAborted(..) => {
                    report::tell(format_args!("down"))
                }
                SocketEvent::OnLifecycleEnd(id) => {
                    self.under_way.remove(&id.value());
                }
                _ => {}
            }
        }
        while self.reading && self.socket.messages_ready_count() > 0 {
            let message = self
                .socket
                .get_next_message()
                .expect("a message that is ready");
            report::tell(format_args!("message {}", message.payload.len()));
        }
        self.counted = self.socket.get_metrics().or(self.counted.take());
    }
}

impl Host for Association {
    fn now_ns(&self) -> u64 {
        self.now.as_nanos() as u64
    }

    /// The other host only waits for an INIT.
    fn open(&mut self) {
        if self.active {
            self.socket.connect();
        }
        self.take_events();
    }

    fn run(&mut self, until_ns: u64) {
        let until = Duration::from_nanos(until_ns);
        while self.now < until && !report::any() {
            self.now = until.min(self.socket.poll_timeout() - SocketTime::zero());
            self.socket.advance_time(SocketTime::zero() + self.now);
            self.take_events();
        }
    }

    fn accept(&mut self, packet: &[u8]) {
        self.burst = 0;
        self.socket.handle_input(packet);
        self.take_events();
    }

    fn send(&mut self, asked: &Asked) {
        let options = SendOptions {
            unordered: asked.unordered,
            max_retransmissions: asked.rtx_limit,
            lifetime: asked.lifetime_ms.map(Duration::from_millis),
            ..SendOptions::default()
        };
        self.burst = 0;
        self.waiting.push_back(Written {
            stream: asked.stream,
            size: asked.size,
            options,
        });
        self.send_waiting();
        self.take_events();
    }

    fn set_reading(&mut self, on: bool) {
        self.reading = on;
        self.take_events();
    }

    fn shut_down(&mut self) {
        self.socket.shutdown();
        self.take_events();
    }

    fn tell_counters(&self) {
        if let Some(counted) = &self.counted {
            report::tell(format_args!(
                "counter rtx_packets {}",
                counted.rtx_packets_count
            ));
            report::tell(format_args!(
                "counter rtx_bytes {}",
                counted.rtx_bytes_count
            ));
            report::tell(format_args!(
                "counter rx_messages {}",
                counted.rx_messages_count
            ));
        }
    }

    /// The congestion window, what is left of the peer's, what the application could not send yet, and whether as many
    /// packets left at once as may.
    fn tell_windows(&self) {
        if let Some(metrics) = self.socket.get_metrics() {
            report::tell(format_args!(
                "window {} {} {} {}",
                metrics.cwnd_bytes,
                metrics.peer_rwnd_bytes,
                self.waiting
                    .iter()
                    .map(|written| written.size)
                    .sum::<usize>(),
                i32::from(self.burst >= self.most_burst)
            ));
        }
    }
}
