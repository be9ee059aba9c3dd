// SPDX-License-Identifier: BSD-2-Clause
// Gives a constant of a package another value: where a program cannot choose, as of werift the
// bytes of a chunk.
'use strict'

const Module = require('module')

// Before the package is loaded; it has to stand in one of its files, once.
function withConstant (name, constant, value) {
  const compile = Module.prototype._compile
  const declared = new RegExp(`^const ${constant} = .*;$`, 'm')
  Module.prototype._compile = function (source, file) {
    const isOfIt = file.includes(`/node_modules/${name}/`)
    const changed = isOfIt ? source.replace(declared, `const ${constant} = ${value};`) : source
    return compile.call(this, changed, file)
  }
}

module.exports = { withConstant }
