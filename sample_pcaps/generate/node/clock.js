// SPDX-License-Identifier: BSD-2-Clause
// A clock that moves only when it is told to, in place of what Node.js gives programs: timers,
// setImmediate() and Date.
'use strict'

const { setImmediate: whenNothingWaits } = globalThis // it comes after all promises and ticks
const SystemDate = globalThis.Date

const MS = 1_000_000
// What Date.now() says when the clock begins.
const EPOCH_MS = 1_767_225_600_000
const LONGEST_MS = 2 ** 31 - 1 // Node.js takes 1 ms in place of what is longer, or under 1

class Timer {
  constructor (dueNs, order, act, everyMs) {
    Object.assign(this, { dueNs, order, act, everyMs })
  }

  ref () { return this }
  unref () { return this }
  hasRef () { return true }
}

class Clock {
  constructor () {
    this.nowNs = 0
    this._order = 0
    this._timers = new Set()
    this._immediate = []
  }

  // In place of those of Node.js; before a stack is loaded.
  install () {
    const clock = this
    const start = (act, afterMs, more, every) => clock._start(() => act(...more), afterMs, every)
    const stop = timer => { clock._timers.delete(timer) }
    globalThis.setTimeout = (act, afterMs, ...more) => start(act, afterMs, more, false)
    globalThis.setInterval = (act, afterMs, ...more) => start(act, afterMs, more, true)
    globalThis.clearTimeout = globalThis.clearInterval = stop
    globalThis.setImmediate = (act, ...more) => { clock._immediate.push(() => act(...more)) }
    globalThis.Date = class extends SystemDate {
      constructor (...of) {
        super(...(of.length ? of : [Date.now()]))
      }

      static now () { return EPOCH_MS + clock._wholeMs() }
    }
  }

  // Of a socket, which is not bound to whole milliseconds.
  after (ns, act) {
    this._timers.add(new Timer(this.nowNs + ns, this._order++, act, 0))
  }

  // Until nothing is left to do at this time.
  async settle () {
    do {
      for (const act of this._immediate.splice(0)) act()
      await new Promise(resolve => whenNothingWaits(resolve))
    } while (this._immediate.length)
  }

  // One timer after the other, until it is that late or there is something to tell.
  async runUntil (toNs, told) {
    await this.settle()
    while (!told()) {
      const next = this._next()
      if (next === undefined || next.dueNs > toNs) {
        this.nowNs = toNs
        return
      }
      this.nowNs = Math.max(this.nowNs, next.dueNs)
      this._timers.delete(next)
      if (next.everyMs) {
        next.dueNs = this._due(next.everyMs)
        this._timers.add(next)
      }
      next.act()
      await this.settle()
    }
  }

  _start (act, afterMs, every) {
    const ms = afterMs >= 1 && afterMs <= LONGEST_MS ? Math.trunc(afterMs) : 1
    const timer = new Timer(this._due(ms), this._order++, act, every ? ms : 0)
    this._timers.add(timer)
    return timer
  }

  // The loop of Node.js counts whole milliseconds (uv_now): a timer comes up to one too soon.
  _due (afterMs) {
    return (this._wholeMs() + afterMs) * MS
  }

  _wholeMs () {
    return Math.floor(this.nowNs / MS)
  }

  _next () {
    let next
    for (const timer of this._timers) {
      const sooner = next === undefined || timer.dueNs < next.dueNs
      if (sooner || (timer.dueNs === next.dueNs && timer.order < next.order)) next = timer
    }
    return next
  }
}

module.exports = { Clock }
