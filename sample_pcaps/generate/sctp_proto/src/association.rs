// SPDX-License-Identifier: BSD-2-Clause

//! One association of sctp-proto: what the application sends on it and reads from it.

use crate::host::{report, Host, Message};
use crate::settings::Settings;
use bytes::Bytes;
use sctp_proto::{
    Association, ClientConfig, DatagramEvent, Endpoint, Event, Payload, PayloadProtocolIdentifier,
    ReliabilityType, ServerConfig, TransportConfig,
};
use std::net::SocketAddr;
use std::sync::Arc;
use std::time::{Duration, Instant};

const BINARY: PayloadProtocolIdentifier = PayloadProtocolIdentifier::Binary;

pub struct Application {
    endpoint: Endpoint,
    association: Option<Association>,
    transport: Arc<TransportConfig>,
    peer: SocketAddr,
    active: bool,
    reading: bool,
    begin: Instant, // of its time
    now: Duration,
}

impl Application {
    pub fn new(settings: Settings) -> Application {
        let transport = Arc::new(settings.transport);
        let mut server = ServerConfig::new();
        server.transport = transport.clone();
        Application {
            endpoint: Endpoint::new(Arc::new(settings.endpoint), Some(Arc::new(server))),
            association: None,
            transport,
            peer: SocketAddr::from(([10, 0, 0, 1], 9)), // below SCTP nobody asks for it
            active: settings.active,
            reading: true,
            begin: Instant::now(),
            now: Duration::ZERO,
        }
    }

    fn instant(&self) -> Instant {
        self.begin + self.now
    }

    /// Until it has come to rest: what is read may open its window.
    fn take_all(&mut self) {
        while self.take_packets() | self.take_events() | self.read() {}
    }

    fn take_packets(&mut self) -> bool {
        let now = self.instant();
        let Some(sent) = self
            .association
            .as_mut()
            .and_then(|one| one.poll_transmit(now))
        else {
            return false;
        };
        if let Payload::RawEncode(packets) = sent.payload {
            packets.iter().for_each(|packet| report::packet(packet));
        }
        true
    }

    fn take_events(&mut self) -> bool {
        let Some(event) = self.association.as_mut().and_then(Association::poll) else {
            return false;
        };
        match event {
            Event::Connected => report::tell(format_args!("up")),
            Event::AssociationLost { .. } | Event::HandshakeFailed { .. } => {
                report::tell(format_args!("down"))
            }
            _ => {}
        }
        true
    }

    fn read(&mut self) -> bool {
        let Some(association) = self.association.as_mut().filter(|_| self.reading) else {
            return false;
        };
        let mut any = false;
        let mut streams = association.stream_ids();
        streams.sort_unstable();
        for id in streams {
            let mut stream = association.stream(id).expect("a stream");
            while let Ok(Some(message)) = stream.read_sctp() {
                report::tell(format_args!("message {}", message.len()));
                any = true;
            }
        }
        any
    }
}

impl Host for Application {
    fn now_ns(&self) -> u64 {
        self.now.as_nanos() as u64
    }

    /// The other host only waits for an INIT.
    fn open(&mut self) {
        if self.active {
            let mut client = ClientConfig::new();
            client.transport = self.transport.clone();
            let connected = self.endpoint.connect(client, self.peer, self.instant());
            self.association = Some(connected.expect("an association").1);
        }
        self.take_all();
    }

    fn run(&mut self, until_ns: u64) {
        let until = Duration::from_nanos(until_ns);
        while self.now < until && !report::any() {
            let due = self
                .association
                .as_ref()
                .and_then(Association::poll_timeout);
            let due = due.map(|due| due.duration_since(self.begin));
            self.now = until.min(due.unwrap_or(until)).max(self.now);
            let now = self.instant();
            if let Some(association) = &mut self.association {
                association.handle_timeout(now);
            }
            self.take_all();
        }
    }

    fn accept(&mut self, packet: &[u8]) {
        let (now, packet) = (self.instant(), Bytes::copy_from_slice(packet));
        match self.endpoint.handle(now, self.peer, None, None, packet) {
            Some((_, DatagramEvent::NewAssociation(association))) => {
                self.association.get_or_insert(association);
            }
            Some((_, DatagramEvent::AssociationEvent(event))) => {
                if let Some(association) = &mut self.association {
                    association.handle_event(event);
                }
            }
            None => {}
        }
        self.take_all();
    }

    /// Once the association is over, nothing is sent.
    fn send(&mut self, message: &Message) {
        let (reliability, limit) = match (message.rtx_limit, message.lifetime_ms) {
            (Some(times), _) => (ReliabilityType::Rexmit, times.into()),
            (_, Some(milliseconds)) => (ReliabilityType::Timed, milliseconds as u32),
            _ => (ReliabilityType::Reliable, 0),
        };
        let open = self.association.as_mut().filter(|one| !one.is_closed());
        if let Some(association) = open {
            let _ = association.open_stream(message.stream, BINARY); // unless it is open
            let mut stream = association.stream(message.stream).expect("a stream");
            stream
                .set_reliability_params(message.unordered, reliability, limit)
                .expect("a stream that is open");
            let sent = stream.write_sctp(&Bytes::from(vec![0; message.size]), BINARY);
            sent.expect("a message that can be sent");
        }
        self.take_all();
    }

    fn set_reading(&mut self, on: bool) {
        self.reading = on;
        self.take_all();
    }

    /// It tells its windows to nobody.
    fn tell_windows(&self) {}

    fn shut_down(&mut self) {
        if let Some(association) = &mut self.association {
            let _ = association.shutdown(); // unless it is over
        }
        self.take_all();
    }

    fn tell_counters(&self) {
        if let Some(association) = &self.association {
            let mut counted = association.stats();
            report::tell(format_args!("counter nDATAs {}", counted.get_num_datas()));
            report::tell(format_args!(
                "counter nT3Timeouts {}",
                counted.get_num_t3timeouts()
            ));
            report::tell(format_args!(
                "counter nFastRetrans {}",
                counted.get_num_fast_retrans()
            ));
        }
    }
}
