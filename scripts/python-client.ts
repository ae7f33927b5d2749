// The second part of npm run client: writes the client for Python from the endpoint values, to
// packages/python/build/vitrine.py, or to the folder of --to.
import fs from 'node:fs'
import path from 'node:path'
import { parseArgs } from 'node:util'
import { RELEASE } from '../lib/core/release.ts'
import { pythonSource } from './client/python-source.ts'

const { values } = parseArgs({ options: { to: { type: 'string' } } })
const to = path.resolve(values.to ?? path.join(import.meta.dirname, '../packages/python/build'))
fs.mkdirSync(to, { recursive: true })
fs.writeFileSync(path.join(to, 'vitrine.py'), pythonSource(RELEASE))
