// SPDX-License-Identifier: BSD-2-Clause
// A datagram socket in virtual time: a packet leaves at once, and the program hears of it when its
// loop comes round.
'use strict'

const EventEmitter = require('events')

// How long the loop takes to come round, in ns; a host answers what came in between first. Of 5,000
// packets on a loopback half took over 19 us, one in a hundred over 99 to 123 us (Node.js 20, two
// runs of a program with nothing else to do): drawn evenly, as one that has takes longer.
const LEAST_NS = 20_000
const MOST_NS = 150_000

class Socket extends EventEmitter {
  constructor ({ clock, dice, tell }) {
    super()
    Object.assign(this, { clock, dice, tell })
  }

  send (packet, ...more) {
    this.tell(`packet ${packet.toString('hex')}`)
    const sent = more.at(-1)
    if (typeof sent !== 'function') return
    this.clock.after(this.dice.between(LEAST_NS, MOST_NS), () => sent(null))
  }

  get (packet) {
    this.emit('message', packet, { address: '127.0.0.1', port: 9899 })
  }

  close () {}
}

module.exports = { Socket }
