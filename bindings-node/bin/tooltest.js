#!/usr/bin/env node
'use strict'
// The `tooltest` command. The streams of this process are left alone: Node would make pipes non-blocking behind Rust's back.

const { delimiter, dirname } = require('node:path')
const native = require('../js/native.js')

// `demo` starts the command once more, by its name.
const [, script, ...args] = process.argv
process.env.PATH = [process.env.PATH, dirname(script)].filter(Boolean).join(delimiter)

const command = new native.Command(['tooltest', ...args], (code) => process.exit(code))
let asked = false
for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP']) {
  process.on(signal, () => {
    if (asked) {
      native.killAll()
      process.exit(130)
    }
    asked = true
    command.cancel()
  })
}
