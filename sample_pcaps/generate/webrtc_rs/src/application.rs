// SPDX-License-Identifier: BSD-2-Clause

//! One association of webrtc-sctp: what the application sends on it and reads from it.

use crate::host::{report, Host, Message};
use crate::settings::Settings;
use crate::time::Time;
use crate::wire::Wire;
use bytes::Bytes;
use std::collections::BTreeMap;
use std::future::Future;
use std::pin::pin;
use std::sync::{Arc, OnceLock};
use std::task::{Context, Poll, Waker};
use std::time::Duration;
use tokio::sync::mpsc::{unbounded_channel, UnboundedReceiver, UnboundedSender};
use webrtc_sctp::association::Association;
use webrtc_sctp::chunk::chunk_payload_data::PayloadProtocolIdentifier;
use webrtc_sctp::stream::{ReliabilityType, Stream};

const BINARY: PayloadProtocolIdentifier = PayloadProtocolIdentifier::Binary;
const LARGEST: usize = 65_536; // message

pub struct Application {
    time: Time,
    settings: Settings,
    wire: Arc<Wire>,
    association: Arc<OnceLock<Association>>, // once it is up
    streams: BTreeMap<u16, Arc<Stream>>,
    writer: UnboundedSender<Written>,
    reading: bool,
}

/// A message, and the stream on which it is to leave.
type Written = (Arc<Stream>, Bytes);

impl Application {
    pub fn new(settings: Settings) -> Application {
        let time = Time::new(settings.seed);
        let (writer, written) = unbounded_channel();
        time.ask(async { tokio::spawn(write(written)) });
        Application {
            time,
            settings,
            wire: Arc::new(Wire::new()),
            association: Arc::default(),
            streams: BTreeMap::new(),
            writer,
            reading: true,
        }
    }

    /// What came to rest; what is read makes the stack do nothing. Once the association is over, a message is empty.
    fn take_all(&mut self) {
        let Some(association) = self.association.get() else {
            return;
        };
        let (streams, reading) = (&mut self.streams, self.reading);
        self.time.ask(async {
            while let Some(Some(stream)) = at_once(association.accept_stream()) {
                streams.insert(stream.stream_identifier(), stream);
            }
            let mut message = vec![0; LARGEST];
            for stream in streams.values().filter(|_| reading) {
                while let Some(Ok(size @ 1..)) = at_once(stream.read(&mut message)) {
                    report::tell(format_args!("message {size}"));
                }
            }
        });
    }

    /// The peer may have opened it.
    fn stream(&mut self, id: u16) -> Option<Arc<Stream>> {
        let association = self.association.get()?;
        if !self.streams.contains_key(&id) {
            let opened = self.time.ask(association.open_stream(id, BINARY));
            self.streams.insert(id, opened.ok()?);
        }
        self.streams.get(&id).cloned()
    }
}

/// As an application does that waits where the stack has no room; once the association is over, nothing is sent.
async fn write(mut written: UnboundedReceiver<Written>) {
    while let Some((stream, message)) = written.recv().await {
        let _ = stream.write_sctp(&message, BINARY).await;
    }
}

/// What there is without any waiting.
fn at_once<T>(what: impl Future<Output = T>) -> Option<T> {
    let unlimited = pin!(tokio::task::unconstrained(what)); // else tokio has it wait after some
    match unlimited.poll(&mut Context::from_waker(Waker::noop())) {
        Poll::Ready(result) => Some(result),
        Poll::Pending => None,
    }
}

impl Host for Application {
    fn now_ns(&self) -> u64 {
        self.time.now().as_nanos() as u64
    }

    fn open(&mut self) {
        let config = self.settings.association(self.wire.clone());
        let (active, association) = (self.settings.active, self.association.clone());
        self.time.ask(async {
            tokio::spawn(async move {
                let begun = if active {
                    Association::client(config).await
                } else {
                    Association::server(config).await
                };
                match begun {
                    Ok(begun) => {
                        let _ = association.set(begun); // the only one
                        report::tell(format_args!("up"));
                    }
                    Err(_) => report::tell(format_args!("down")),
                }
            });
        });
        self.take_all();
    }

    fn run(&mut self, until_ns: u64) {
        self.time.run(Duration::from_nanos(until_ns));
        self.take_all();
    }

    fn accept(&mut self, packet: &[u8]) {
        self.time.ask(async { self.wire.accept(packet) });
        self.take_all();
    }

    fn send(&mut self, message: &Message) {
        let (reliability, limit) = match (message.rtx_limit, message.lifetime_ms) {
            (Some(times), _) => (ReliabilityType::Rexmit, times.into()),
            (_, Some(milliseconds)) => (ReliabilityType::Timed, milliseconds as u32),
            _ => (ReliabilityType::Reliable, 0),
        };
        if let Some(stream) = self.stream(message.stream) {
            stream.set_reliability_params(message.unordered, reliability, limit);
            let written = (stream, Bytes::from(vec![0; message.size]));
            let _ = self.time.ask(async { self.writer.send(written) }); // it never ends
        }
        self.take_all();
    }

    fn set_reading(&mut self, on: bool) {
        self.reading = on;
        self.take_all();
    }

    /// It tells its windows to nobody.
    fn tell_windows(&self) {}

    /// It waits for the end, which the stack reports.
    fn shut_down(&mut self) {
        let association = self.association.clone();
        self.time.ask(async {
            tokio::spawn(async move {
                if let Some(association) = association.get() {
                    let _ = association.shutdown().await; // unless it is over
                }
            });
        });
        self.take_all();
    }

    fn tell_counters(&self) {
        if let Some(association) = self.association.get() {
            for (name, count) in self.time.ask(association.counted()) {
                report::tell(format_args!("counter {name} {count}"));
            }
        }
    }
}
