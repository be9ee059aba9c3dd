// SPDX-License-Identifier: BSD-2-Clause

//! A host with dcSCTP, told line by line what time it is and what happens to it; its answer ends with `now NS`.
//!
//!     dcsctp-host active=1 seed=7 …
//!     open | run NS | in HEX | send STREAM SIZE UNORDERED RTX_LIMIT LIFETIME_MS | read 0|1 | window | close | quit
//!
//! The answer to `quit` is what dcSCTP counted.

mod association;
mod report;
mod settings;

use association::Association;
use settings::Settings;
use std::io;

fn main() {
    let settings = Settings::from(std::env::args().skip(1));
    fastrand::seed(settings.seed);
    report::take_decisions();
    let mut association = Association::new(&settings);
    for line in io::stdin().lines() {
        let line = line.expect("a line");
        let words: Vec<&str> = line.split_whitespace().collect();
        match words[..] {
            ["open"] => association.open(),
            ["run", until_ns] => association.run(number(until_ns)),
            ["in", packet] => association.accept(&bytes(packet)),
            ["send", ref message @ ..] => association.send(message),
            ["read", on] => association.set_reading(on == "1"),
            ["window"] => association.tell_windows(),
            ["close"] => association.shut_down(),
            ["quit"] => {
                association.tell_counters();
                return;
            }
            _ => panic!("{line}?"),
        }
        report::end(association.now_ns());
    }
}

/// The number that a word spells.
pub fn number<T: std::str::FromStr>(word: &str) -> T {
    word.parse()
        .unwrap_or_else(|_| panic!("{word} is no number"))
}

fn bytes(hex: &str) -> Vec<u8> {
    let digit = |at: usize| u8::from_str_radix(&hex[at..at + 2], 16).expect("hexadecimal digits");
    (0..hex.len()).step_by(2).map(digit).collect()
}
