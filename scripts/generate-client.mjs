// npm runs it after each install: makes the Prisma client, unless it was made from this schema by this Prisma already.
// A running sandbox reads its files, so they are only written when they change.
import { spawnSync } from 'node:child_process'
import { createHash } from 'node:crypto'
import fs from 'node:fs'
import path from 'node:path'

const root = path.resolve(import.meta.dirname, '..')
const stamp = path.join(root, 'generated/made-from')
const hash = createHash('sha256')
for (const file of ['prisma/schema.prisma', 'prisma.config.ts', 'node_modules/prisma/package.json'])
  hash.update(fs.readFileSync(path.join(root, file)))
const source = hash.digest('hex')

const isMade =
  fs.existsSync(path.join(root, 'generated/prisma/client.ts')) &&
  fs.existsSync(stamp) &&
  fs.readFileSync(stamp, 'utf8') === source
if (!isMade) {
  fs.rmSync(stamp, { force: true })
  const prisma = path.join(root, 'node_modules/prisma/build/index.js')
  const { status, error } = spawnSync(process.execPath, [prisma, 'generate'], { cwd: root, stdio: 'inherit' })
  if (error) throw error
  if (status !== 0) process.exit(status ?? 1)
  fs.writeFileSync(stamp, source)
}
