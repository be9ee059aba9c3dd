// SPDX-License-Identifier: BSD-2-Clause

//! A host with sctp-proto.

mod association;
#[path = "../../rust_host/dice.rs"]
mod dice;
#[path = "../../rust_host/mod.rs"]
mod host;
mod settings;

use association::Application;
use settings::Settings;

fn main() {
    let settings = Settings::from(&host::settings());
    fastrand::seed(settings.seed);
    host::report::take_decisions();
    host::serve(Application::new(settings));
}
