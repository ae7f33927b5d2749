// Runs forge, and ends with its status. The program of forge's package starts the same binary, but always ends with 0.
import { spawnSync } from 'node:child_process'
import { createRequire } from 'node:module'
import path from 'node:path'

const machine = process.arch === 'x64' ? 'amd64' : process.arch
const found = createRequire(import.meta.url).resolve(`@foundry-rs/forge-${process.platform}-${machine}/package.json`)
const { status, error } = spawnSync(path.join(path.dirname(found), 'bin/forge'), process.argv.slice(2), {
  stdio: 'inherit',
})
if (error) throw error
process.exit(status ?? 1)
