// SPDX-License-Identifier: BSD-2-Clause

//! A host with dcSCTP.

mod association;
#[path = "../../rust_host/mod.rs"]
mod host;
mod settings;

use association::Association;
use settings::Settings;

fn main() {
    let settings = Settings::from(&host::settings());
    fastrand::seed(settings.seed);
    host::report::take_decisions();
    host::serve(Association::new(&settings));
}
