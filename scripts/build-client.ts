// npm run client: compiles packages/client, with the types and operations written from the endpoint values, and packs it: the tarball is in
// packages/client/build.
import { execFileSync } from 'node:child_process'
import path from 'node:path'
import { buildClient } from './client/build.ts'

const to = path.resolve(import.meta.dirname, '../packages/client/build')
buildClient(to)
execFileSync('npm', ['pack', '--silent'], { cwd: to, stdio: 'inherit' })
