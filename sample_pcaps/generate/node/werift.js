// SPDX-License-Identifier: BSD-2-Clause
// One association of werift's SCTP on plain packets: what the application sends on it and reads,
// and what it decides. It has no log of that, so it is watched in place.
'use strict'

const { Socket } = require('./socket')
const { withConstant } = require('./constant')

const HEADERS = 28 // of a packet with one DATA chunk

module.exports = ({ clock, dice, options, tell }) => {
  // It draws its tag first, then its initial TSN.
  dice.install(options.initial_tsn ? [undefined, options.initial_tsn] : [])
  const bytes = Math.floor((options.mtu - HEADERS) / 4) * 4
  if (options.mtu) withConstant('werift-sctp', 'USERDATA_MAX_LENGTH', bytes)
  const { SCTP } = require('werift-sctp')
  const counters = { sent: 0, sent_again: 0, received: 0, received_again: 0, timeouts: 0 }
  const marks = tellMarks(tell)
  const socket = new Socket({ clock, dice, tell })
  const { createUdpTransport } = require('werift-sctp')

  class Watched extends SCTP {
    markReceived (tsn) {
      const again = super.markReceived(tsn)
      tell(`handle ${tsn}`)
      counters[again ? 'received_again' : 'received']++
      return again
    }

    async sendChunk (chunk) {
      if (chunk.sentCount !== undefined) counters[chunk.sentCount > 1 ? 'sent_again' : 'sent']++
      return super.sendChunk(chunk)
    }
  }

  const sctp = new Watched(createUdpTransport(socket), options.port)
  sctp.isServer = !options.active
  if (options.rcvbuf) sctp.advertisedRwnd = options.rcvbuf
  const { timer3Expired } = sctp
  sctp.timer3Expired = () => {
    counters.timeouts += sctp.sentQueue.length > 0
    marks.areOfT3 = true // what it marks, it marks before it sends
    timer3Expired()
    marks.areOfT3 = false
  }
  sctp.onReceive.subscribe((stream, ppid, data) => tell(`message ${data.length}`))
  sctp.stateChanged.connected.subscribe(() => tell('up'))
  sctp.stateChanged.closed.subscribe(() => tell('down'))

  return {
    counters,
    open: () => sctp.start(options.peer_port),
    get: packet => socket.get(packet),
    close: () => sctp.stop(),
    send (stream, size, unordered, rtxLimit, lifetimeMs) {
      const expiry = lifetimeMs < 0 ? undefined : (Date.now() + lifetimeMs) / 1000
      const maxRetransmits = rtxLimit < 0 ? undefined : rtxLimit
      sctp.send(stream, 0, Buffer.alloc(size), { expiry, maxRetransmits, ordered: !unordered })
    }
  }
}

// A chunk that is to be sent again has `retransmit`: the third missing report sets it, and T3 sets
// it on all that the cumulative TSN does not cover, also where a gap block did.
function tellMarks (tell) {
  const marks = { areOfT3: false }
  const chunks = require('werift-sctp/lib/sctp/src/chunk')
  chunks.DataChunk = class extends chunks.DataChunk {
    constructor (...of) {
      super(...of)
      let waits = false
      Object.defineProperty(this, 'retransmit', {
        get: () => waits,
        set: value => {
          if (value && marks.areOfT3) tell(`mark t3 ${this.tsn}`)
          else if (value && !waits) tell(`mark fast ${this.tsn}`)
          waits = value
        }
      })
    }
  }
  return marks
}
