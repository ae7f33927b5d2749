// npm run up: all of Vitrine on this machine. Runs under the machine's own Node, installs what is missing, and starts
// the launcher under the Node among the packages.
import path from 'node:path'
import { handOver, install } from './launcher/install.mjs'

const root = path.resolve(import.meta.dirname, '..')
const [major = 0, minor = 0] = process.versions.node.split('.').map(Number)
if (major < 20 || (major === 20 && minor < 19)) {
  console.error(`Vitrine needs Node 20.19 or newer to start; this is ${process.version}.`)
  process.exit(1)
}
await install(root, 'up')
await handOver(root, ['scripts/launcher/main.ts', ...process.argv.slice(2)])
