// npm run client: compiles packages/client, with the types and operations written from the endpoint values, and packs
// it. The tarball is in packages/client/build, or in the folder of --to, which is emptied.
import { execFileSync } from 'node:child_process'
import path from 'node:path'
import { parseArgs } from 'node:util'
import { buildClient } from './client/build.ts'

const { values } = parseArgs({ options: { to: { type: 'string' } } })
const to = path.resolve(values.to ?? path.join(import.meta.dirname, '../packages/client/build'))
buildClient(to)
execFileSync('npm', ['pack', '--silent'], { cwd: to, stdio: 'inherit' })
