// npm run upgrade: the same as npm run migrate. With --status it says what the database has and who works on it, with
// --plan what the pending migrations do and which locks they take; both change nothing. With --settle, once no process
// of an earlier release runs any more, it puts right what those wrote after the migration.
import fs from 'node:fs'
import path from 'node:path'
import { parseArgs } from 'node:util'
import { env } from '../lib/core/env.ts'
import { RELEASE } from '../lib/core/release.ts'
import { commandFailure } from '../lib/db/errors.ts'
import { settleUpgrade } from '../lib/db/migrate.ts'
import { planUpgrade } from '../lib/db/plan-upgrade.ts'
import { readUpgradeState, type Release, type UpgradeState } from '../lib/db/upgrade-state.ts'

const root = path.resolve(import.meta.dirname, '..')
const json = (file: string): unknown => JSON.parse(fs.readFileSync(path.join(root, file), 'utf8'))

const { values } = parseArgs({
  options: { status: { type: 'boolean' }, plan: { type: 'boolean' }, settle: { type: 'boolean' } },
})
if (!values.status && !values.plan && !values.settle) {
  await import('./migrate.ts') // ends the process
}
// The login that owns the tables, where it is apart from that of web and worker.
const databaseUrl = env.MIGRATE_DATABASE_URL
if (!databaseUrl) {
  console.error('Set MIGRATE_DATABASE_URL to the login that owns the tables.')
  process.exit(1)
}
try {
  if (values.status) showState(await readUpgradeState(databaseUrl, json('prisma/releases.json') as Release[]))
  if (values.plan) await showPlan()
  if (values.settle) {
    const settled = await settleUpgrade(databaseUrl, { say: (line) => console.log(line) })
    console.log(`Settled: ${settled.join(', ')}.`)
  }
} catch (error) {
  console.error(commandFailure(error))
  process.exitCode = 1
}

function showState({ applied, pending, unknown, release, workers, connections }: UpgradeState): void {
  console.log(`This version       ${RELEASE}`)
  console.log(`Database           ${applied.length} migrations, the last is ${applied.at(-1) ?? 'none'}`)
  console.log(`                   ${release ? `release ${release} or later` : 'no release'}`)
  console.log(
    `Pending            ${pending.length === 0 ? 'none' : pending.map(({ name }) => name).join('\n                   ')}`,
  )
  if (unknown.length > 0)
    console.log(`Not known here     ${unknown.join(', ')}: the database was migrated by a later version`)
  for (const { id, startedAt, seenAt } of workers)
    console.log(`Worker runs        ${id}, since ${startedAt.toISOString()}, seen ${seenAt.toISOString()}`)
  for (const { name, count, oldest } of connections)
    console.log(`Connections        ${count} of ${name}, the oldest since ${oldest.toISOString()}`)
}

async function showPlan(): Promise<void> {
  const planned = await planUpgrade(databaseUrl)
  if (planned.length === 0) console.log('Nothing is pending.')
  for (const { name, outside, statements } of planned) {
    console.log(
      `\n-- ${name}: ${outside ? 'outside a transaction' : 'in one transaction, which keeps each lock to its end'}`,
    )
    for (const { sql, locks } of statements) {
      for (const { table, mode, blocks, rows, bytes } of locks)
        console.log(`-- locks ${table} (about ${rows} rows, ${Math.ceil(bytes / 1024)} kB): ${mode}, ${blocks}`)
      console.log(`${sql};`)
    }
  }
}
