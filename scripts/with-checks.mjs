// Installs what tests, checks and releases need beside what starting needs, and runs one of them under the packages'
// own Node: a program of the packages by its name, or a script. Options before it are Node's.
import fs from 'node:fs'
import path from 'node:path'
import { handOver, install } from './launcher/install.mjs'

const root = path.resolve(import.meta.dirname, '..')
const args = process.argv.slice(2)
const at = args.findIndex((arg) => !arg.startsWith('-'))
await install(root, 'checks')
const program = path.join(root, 'node_modules/.bin', args[at] ?? '')
if (at !== -1 && fs.existsSync(program)) args[at] = program
await handOver(root, args)
