// SPDX-License-Identifier: BSD-2-Clause
// One association of npm's package sctp on plain packets: what the application sends on it and
// reads, and what it decides. It has no log of that which a program reads, so it is watched.
'use strict'

const { Socket } = require('./socket')

const STREAMS = 16
const PEER = { address: '127.0.0.1', port: 9899 } // it needs one; packets leave in clear

module.exports = ({ clock, dice, options, tell }) => {
  // Its tag is also its initial TSN, and is what it draws first of four bytes.
  dice.install(options.initial_tsn ? [options.initial_tsn] : [])
  const sctp = require('sctp')
  if (options.mtu) sctp.defaults({ PMTU: options.mtu })
  const counters = { sent: 0, sent_again: 0, received: 0, received_again: 0, timeouts: 0 }
  const watched = { counters, tell }
  watchReceiver(watched)
  watchSender(watched)
  const socket = new Socket({ clock, dice, tell })
  const Endpoint = require('sctp/lib/endpoint')

  let association
  const waiting = [] // messages that it takes one by one, as its window lets it
  let isTaking = false
  const take = () => {
    if (isTaking || !waiting.length || association.state !== 'ESTABLISHED') return
    const [message, asked] = waiting[0]
    isTaking = true
    association.SEND(message, asked, error => {
      isTaking = false
      if (!error) waiting.shift()
      if (!error) take() // else when a SACK has made room
    })
  }
  const establish = made => {
    association = made
    association.on('COMMUNICATION UP', () => { tell('up') })
    association.on('SHUTDOWN COMPLETE', () => tell('down'))
    association.on('COMMUNICATION LOST', () => tell('down'))
    association.on('DATA ARRIVE', stream => tell(`message ${association.RECEIVE(stream).length}`))
    association.on('sack', take)
  }

  return {
    counters,
    open () {
      const buffer = options.rcvbuf ? { a_rwnd: options.rcvbuf } : {}
      const own = { localPort: options.port, MIS: STREAMS, OS: STREAMS, ...buffer }
      const below = { udpTransport: socket, udpPeer: PEER }
      Endpoint.INITIALIZE(own, below, (error, endpoint) => {
        if (error) throw error
        if (options.active) establish(endpoint.ASSOCIATE({ remotePort: options.peer_port }))
        else endpoint.on('association', establish)
      })
    },
    get: packet => socket.get(packet),
    close: () => association.SHUTDOWN(() => {}),
    send (stream, size, unordered) {
      waiting.push([Buffer.alloc(size), { stream_id: stream, unordered: Boolean(unordered) }])
      take()
    }
  }
}

// What it marks, and when it puts what is marked into the queue that it empties a millisecond later.
function watchSender ({ counters, tell }) {
  const { prototype } = require('sctp/lib/association')
  const told = new WeakSet() // chunks of whose third missing report was told
  let queued // by the timeout that is under way
  const around = (method, before, after) => {
    const original = prototype[method]
    prototype[method] = function (...of) {
      before(this)
      original.apply(this, of)
      after(this)
    }
  }
  const { _sendChunk } = prototype
  prototype._sendChunk = function (type, chunk, ...of) {
    if (type === 'data') {
      const isAgain = chunk.tsn !== undefined
      counters[isAgain ? 'sent_again' : 'sent']++
      if (isAgain && queued) tell(`mark t3 ${chunk.tsn}`)
      if (isAgain) tell(`queued ${chunk.tsn}`)
      queued?.add(String(chunk.tsn))
    }
    return _sendChunk.call(this, type, chunk, ...of)
  }
  around('_expireT3', association => {
    counters.timeouts += Object.keys(association.sent).length > 0
    queued = new Set()
  }, association => {
    for (const [tsn, chunk] of Object.entries(association.sent)) {
      if (chunk.retransmit && !queued.has(tsn)) tell(`mark t3 ${tsn}`)
    }
    queued = undefined
  })
  around('_fastRetransmit', association => {
    for (const [tsn, chunk] of Object.entries(association.sent)) {
      if (chunk.fastRetransmit && !told.has(chunk)) tell(`mark fast ${tsn}`)
      if (chunk.fastRetransmit) told.add(chunk)
    }
  }, () => {})
}

// What it handles, and what it throws away of what it had reported, for want of room.
function watchReceiver ({ counters, tell }) {
  const { prototype } = require('sctp/lib/reassembly')
  const { process } = prototype
  prototype.process = function (chunk) {
    const { duplicates } = this
    const before = duplicates.length
    const held = this.mapping_array.map(one => typeof one === 'object' && one.tsn)
    const isNew = process.call(this, chunk)
    held.forEach((tsn, index) => {
      if (tsn && this.mapping_array[index] === false) tell(`renege ${tsn}`)
    })
    if (isNew || duplicates.length > before) tell(`handle ${chunk.tsn}`)
    if (isNew) counters.received++
    else if (duplicates.length > before) counters.received_again++
    return isNew
  }
}
