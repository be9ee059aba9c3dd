// SPDX-License-Identifier: BSD-2-Clause
// A host with a stack for Node.js, told line by line what time it is and what happens to it; its
// answer ends with `now NS`.
//
//     node host.js npm_sctp|werift active=1 seed=7 …
//     open | run NS | in HEX | send STREAM SIZE UNORDERED RTX_LIMIT LIFETIME_MS | read 0|1 | close
//     quit
'use strict'

const readline = require('readline')
const { Clock } = require('./clock')
const { Dice } = require('./dice')

async function serve (stack, options) {
  const clock = new Clock()
  const dice = new Dice(options.seed)
  const lines = readline.createInterface({ input: process.stdin })
  clock.install()
  const told = []
  const association = require(`./${stack}`)({ clock, dice, options, tell: line => told.push(line) })
  for await (const line of lines) {
    const [word, ...of] = line.split(' ')
    if (word === 'quit') {
      const counters = Object.entries(association.counters)
      process.stdout.write(counters.map(([name, value]) => `counter ${name} ${value}\n`).join(''))
      process.exit(0)
    }
    if (word === 'run') await clock.runUntil(Number(of[0]), () => told.length > 0)
    else if (word === 'open') association.open()
    else if (word === 'in') association.get(Buffer.from(of[0], 'hex'))
    else if (word === 'send') association.send(...of.map(Number))
    else if (word === 'close') association.close()
    else if (word !== 'read') throw new Error(line) // both stacks read at once
    await clock.settle()
    told.push(`now ${clock.nowNs}\n`)
    process.stdout.write(told.splice(0).join('\n'))
  }
}

const [stack, ...words] = process.argv.slice(2)
serve(stack, Object.fromEntries(words.map(word => word.split('=')).map(([k, v]) => [k, Number(v)])))
