// SPDX-License-Identifier: BSD-2-Clause
// Random numbers that follow from a seed, in place of those that a stack draws.
'use strict'

const crypto = require('crypto')

// xorshift of 32 bits (Marsaglia 2003, "Xorshift RNGs").
class Dice {
  constructor (seed) {
    this._state = (Math.imul(seed, 0x9e3779b1) ^ 0x5bd1e995) >>> 0 || 1
  }

  word () {
    let word = this._state
    word ^= word << 13
    word ^= word >>> 17
    word ^= word << 5
    this._state = word >>> 0
    return this._state
  }

  bytes (count) {
    const bytes = Buffer.alloc(count)
    for (let at = 0; at < count; at++) bytes[at] = this.word() >>> 24
    return bytes
  }

  // From one number to another.
  between (least, most) {
    return least + this.word() % (most - least)
  }

  // Before a stack is loaded; `firstWords` are what four bytes are asked for first.
  install (firstWords = []) {
    const words = [...firstWords]
    crypto.randomBytes = count => {
      if (count !== 4 || !words.length) return this.bytes(count)
      const word = Buffer.alloc(4)
      word.writeUInt32BE(words.shift() ?? this.word())
      return word
    }
    Math.random = () => this.word() / 2 ** 32
  }
}

module.exports = { Dice }
