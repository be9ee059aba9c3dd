// SPDX-License-Identifier: BSD-2-Clause

//! The time of the host: tokio's, which stands unless it is told to go on, so that all is done at once.

use crate::host::report;
use std::future::Future;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::Arc;
use std::time::Duration;
use tokio::runtime::{Builder, Runtime};
use tokio::sync::Notify;
use tokio::time::{advance, sleep_until, Instant};

const TICK: Duration = Duration::from_millis(1); // tokio's timers expire at whole ones since its beginning

pub struct Time {
    tokio: Runtime,
    begin: Instant,
    rest: Rest,
    now: Duration,
}

impl Time {
    pub fn new(seed: u64) -> Time {
        let rest = Rest::default();
        let parked = rest.clone();
        let tokio = Builder::new_current_thread()
            .enable_time()
            .start_paused(true)
            .rng_seed(tokio::runtime::RngSeed::from_bytes(&seed.to_le_bytes())) // which branch select! tries first
            .on_thread_park(move || parked.tell())
            .build()
            .expect("a runtime");
        let begin = tokio.block_on(async { Instant::now() });
        Time {
            tokio,
            begin,
            rest,
            now: Duration::ZERO,
        }
    }

    pub fn now(&self) -> Duration {
        self.now
    }

    /// What is asked of the stack, until that has come to rest.
    pub fn ask<T>(&self, what: impl Future<Output = T>) -> T {
        self.tokio.block_on(async {
            let answer = what.await;
            self.rest.come().await;
            answer
        })
    }

    /// To a time, or to that of the first timer at which something is reported.
    pub fn run(&mut self, until: Duration) {
        let (begin, now, rest) = (self.begin, self.now, &self.rest);
        self.now = self.tokio.block_on(async {
            step(until.min(next_tick(now)), begin, rest).await;
            let whole = Duration::from_millis(until.as_millis() as u64);
            if !report::any() && begin + whole > Instant::now() {
                // From a whole tick tokio goes by itself to that of the next timer, where nobody has anything to do.
                tokio::select! {
                    biased;
                    _ = rest.come_with_report() => {}
                    _ = sleep_until(begin + whole) => {}
                }
                rest.come().await;
            }
            step(until, begin, rest).await;
            Instant::now() - begin
        });
    }
}

/// No further than to the next tick; nowhere where something is reported.
async fn step(to: Duration, begin: Instant, rest: &Rest) {
    let on = (begin + to).saturating_duration_since(Instant::now());
    if !report::any() && !on.is_zero() {
        advance(on).await;
        rest.come().await;
    }
}

fn next_tick(now: Duration) -> Duration {
    TICK * now.as_nanos().div_ceil(TICK.as_nanos()) as u32
}

/// When no task has anything to do until time goes on.
#[derive(Clone, Default)]
struct Rest {
    came: Arc<Notify>,
    with_report: Arc<AtomicBool>,
}

impl Rest {
    async fn come(&self) {
        self.with_report.store(false, Ordering::Relaxed);
        self.came.notified().await;
    }

    async fn come_with_report(&self) {
        self.with_report.store(true, Ordering::Relaxed);
        self.came.notified().await;
    }

    fn tell(&self) {
        if report::any() || !self.with_report.load(Ordering::Relaxed) {
            self.came.notify_waiters();
        }
    }
}
