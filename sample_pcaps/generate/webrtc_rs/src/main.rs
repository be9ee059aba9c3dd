// SPDX-License-Identifier: BSD-2-Clause

//! A host with webrtc-sctp, the SCTP of webrtc-rs.

mod application;
#[path = "../../rust_host/dice.rs"]
mod dice;
#[path = "../../rust_host/mod.rs"]
mod host;
mod settings;
mod time;
mod wire;

use application::Application;
use settings::Settings;

fn main() {
    let settings = Settings::from(&host::settings());
    fastrand::seed(settings.seed);
    host::report::take_decisions();
    host::serve(Application::new(settings));
}
