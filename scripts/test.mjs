// npm test: installs what is missing and runs every test there is. Names run only those: npm test -- unit e2e
import path from 'node:path'
import { handOver, install } from './launcher/install.mjs'

const root = path.resolve(import.meta.dirname, '..')
await install(root, 'checks')
await handOver(root, ['scripts/test-runner/main.ts', ...process.argv.slice(2)])
