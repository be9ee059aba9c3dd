// SPDX-License-Identifier: BSD-2-Clause

//! A host in Rust, told line by line what time it is and what happens to it; its answer ends with `now NS`.
//!
//!     HOST active=1 seed=7 …
//!     open | run NS | in HEX | send STREAM SIZE UNORDERED RTX_LIMIT LIFETIME_MS | read 0|1 | window | close | quit
//!
//! The answer to `quit` is what the stack counted.

pub mod report;

use std::collections::HashMap;
use std::io;

pub trait Host {
    fn now_ns(&self) -> u64;
    fn open(&mut self);
    /// To the time, or to the first timer at which something is reported.
    fn run(&mut self, until_ns: u64);
    fn accept(&mut self, packet: &[u8]);
    fn send(&mut self, message: &Message);
    fn set_reading(&mut self, on: bool);
    fn tell_windows(&self);
    fn shut_down(&mut self);
    fn tell_counters(&self);
}

/// What of all that may be asked of a message these stacks have.
pub struct Message {
    pub stream: u16,
    pub size: usize,
    pub unordered: bool,
    pub rtx_limit: Option<u16>,
    pub lifetime_ms: Option<u64>,
}

/// `name=value`, each of them a number, of the command line.
pub fn settings() -> HashMap<String, u64> {
    let setting = |word: String| {
        let (name, value) = word.split_once('=').expect("name=value");
        (name.to_string(), number(value))
    };
    std::env::args().skip(1).map(setting).collect()
}

/// Until it is told to quit.
pub fn serve(mut host: impl Host) {
    for line in io::stdin().lines() {
        let line = line.expect("a line");
        let words: Vec<&str> = line.split_whitespace().collect();
        match words[..] {
            ["open"] => host.open(),
            ["run", until_ns] => host.run(number(until_ns)),
            ["in", packet] => host.accept(&bytes(packet)),
            ["send", ref message @ ..] => host.send(&message_of(message)),
            ["read", on] => host.set_reading(on == "1"),
            ["window"] => host.tell_windows(),
            ["close"] => host.shut_down(),
            ["quit"] => {
                host.tell_counters();
                return;
            }
            _ => panic!("{line}?"),
        }
        report::end(host.now_ns());
    }
}

fn message_of(words: &[&str]) -> Message {
    let [stream, size, unordered, rtx_limit, lifetime_ms, ..] = words else {
        panic!("send {words:?}?");
    };
    Message {
        stream: number(stream),
        size: number(size),
        unordered: *unordered == "1",
        rtx_limit: u16::try_from(number::<i32>(rtx_limit)).ok(),
        lifetime_ms: u64::try_from(number::<i64>(lifetime_ms)).ok(),
    }
}

fn number<T: std::str::FromStr>(word: &str) -> T {
    word.parse()
        .unwrap_or_else(|_| panic!("{word} is no number"))
}

fn bytes(hex: &str) -> Vec<u8> {
    let digit = |at: usize| u8::from_str_radix(&hex[at..at + 2], 16).expect("hexadecimal digits");
    (0..hex.len()).step_by(2).map(digit).collect()
}
