// SPDX-License-Identifier: BSD-2-Clause

//! What the host says it did, one line each; what the stack decides is its log of target "decision" (decisions.patch).

use log::{LevelFilter, Log, Metadata, Record};
use std::io::{stdout, Write};
use std::sync::atomic::{AtomicBool, Ordering};

static ANY: AtomicBool = AtomicBool::new(false);

struct Decisions;

impl Log for Decisions {
    fn enabled(&self, metadata: &Metadata) -> bool {
        metadata.target() == "decision"
    }

    fn log(&self, record: &Record) {
        if self.enabled(record.metadata()) {
            tell(*record.args());
        }
    }

    fn flush(&self) {}
}

pub fn take_decisions() {
    log::set_logger(&Decisions).expect("the only logger");
    log::set_max_level(LevelFilter::Info);
}

pub fn tell(line: std::fmt::Arguments) {
    println!("{line}");
    ANY.store(true, Ordering::Relaxed);
}

pub fn packet(packet: &[u8]) {
    let hex: String = packet.iter().map(|byte| format!("{byte:02x}")).collect();
    tell(format_args!("packet {hex}"));
}

/// Whether there was a report since the last end.
pub fn any() -> bool {
    ANY.load(Ordering::Relaxed)
}

pub fn end(now_ns: u64) {
    println!("now {now_ns}");
    stdout().flush().expect("a reader");
    ANY.store(false, Ordering::Relaxed);
}
