import pg from 'pg'
import { beforeAll, expect, onTestFinished, test, vi } from 'vitest'
import { Prisma } from '../../generated/prisma/client.ts'
import { env } from '../../lib/core/env.ts'
import { openMetadataReader } from '../../lib/catalog/items/read-foreign-metadata.ts'
import { openMailer } from '../../lib/messaging/outbox/mailer.ts'
import { openDeliverer } from '../../lib/messaging/webhooks/deliverer.ts'
import { adoptTokens } from '../../lib/onchain/indexer/adopt-tokens.ts'
import { indexOnce } from '../../lib/onchain/indexer/index-once.ts'
import { matchMoves } from '../../lib/onchain/indexer/match-moves.ts'
import { advanceRecoveries } from '../../lib/onchain/recovery/advance-recoveries.ts'
import { newWatch, watchSubmitted } from '../../lib/onchain/transactions/watch-submitted.ts'
import { submitNext } from '../../lib/onchain/transactions/submit-next.ts'
import { applyVoucherFacts } from '../../lib/onchain/vouchers/apply-voucher-facts.ts'
import { systemContext } from '../../lib/platform/auth/authenticate.ts'
import { findDueKinds } from '../../lib/worker/look.ts'
import { openJobs } from '../../lib/worker/run-jobs.ts'
import { TIMERS } from '../../lib/worker/timers.ts'
import { fillDatabase } from '../../scripts/seed-big/fill-database.ts'
import { asOwner } from '../support/as-owner.ts'
import { startChain, type TestChain } from '../support/chain.ts'
import { makeRandomAddress } from '../support/claims.ts'
import { makeOrganization } from '../support/organization.ts'
import { makeOnChainCollection } from '../support/sending.ts'
import { until } from '../support/until.ts'

/**
 * A scan of one of the bigger tables reads more than this at the scale of this file; what a new connection reads of the
 * catalog, when it first deletes from a table with many indexes, is less.
 */
const MOST_BUFFERS = 300

/** Statements that a round may send beside those of an empty database: for rows that are looked at, and wait. */
const MORE_STATEMENTS = 20

let chain: TestChain
/** How many statements a round sends while there are no rows at all. */
let statementsOfNothing: number
beforeAll(async () => {
  chain = await startChain()
  await asOwner('CREATE EXTENSION pg_stat_statements')
  await round() // begins the cursor
  statementsOfNothing = sumOf(await statementsOf(() => round(OFTEN)))
  await fillDatabase(env.MIGRATE_DATABASE_URL!, { scale: 0.05 })
}, 300_000)

const watch = newWatch()
const places = new Map()
const LOOPS: Record<string, () => Promise<unknown>> = {
  look: () => findDueKinds([chain.network.id]),
  send: () => submitNext(systemContext('test'), chain.chain, chain.operator.address),
  watch: () => watchSubmitted(systemContext('test'), chain.chain, watch),
  index: () => indexOnce(systemContext('test'), chain.chain),
  'apply voucher facts': () => applyVoucherFacts(systemContext('test'), chain.chain),
  recover: () => advanceRecoveries(systemContext('test'), chain.chain),
  adopt: () => adoptTokens(systemContext('test'), chain.network, places),
  match: () => matchMoves(systemContext('test'), chain.network.id, null),
  jobs: () => openJobs(() => systemContext('test')).begin(),
  'read foreign metadata': () => openMetadataReader(() => systemContext('test')).begin(),
  'deliver webhooks': () => openDeliverer(() => systemContext('test')).begin(),
  'send urgent mail': () => openMailer(() => systemContext('test'), { urgent: true }).begin(),
  'send mail': () => openMailer(() => systemContext('test'), { urgent: false }).begin(),
}

/** Once an hour every card account is asked about; more often, only those that wait for something. */
const OFTEN = TIMERS.filter(({ everySeconds }) => everySeconds < 3600)

async function round(timers = TIMERS): Promise<void> {
  for (const { run } of timers) await run(systemContext('timer'))
  for (const step of Object.values(LOOPS)) await step()
}

type Read = { query: string; calls: number; buffers: number }

const sumOf = (reads: readonly Read[]): number => reads.reduce((sum, { calls }) => sum + calls, 0)

async function statementsOf(work: () => Promise<void>): Promise<Read[]> {
  const client = new pg.Client({ connectionString: env.MIGRATE_DATABASE_URL })
  await client.connect()
  try {
    await client.query('SELECT pg_stat_statements_reset(0, oid, 0) FROM pg_database WHERE datname = current_database()')
    await work()
    const { rows } = await client.query<Read>(`
      SELECT query, calls::int, ((shared_blks_hit + shared_blks_read) / calls)::int AS buffers FROM pg_stat_statements
      WHERE dbid = (SELECT oid FROM pg_database WHERE datname = current_database())`)
    return rows
  } finally {
    await client.end()
  }
}

async function hasDeadRows(): Promise<boolean> {
  const [row] = await systemContext('test').sql<{ dead: bigint }>(
    Prisma.sql`SELECT sum(n_dead_tup)::bigint AS dead FROM pg_stat_user_tables`,
  )
  return row!.dead > 0n
}

/** The bound for a mint: its writes change up to twenty indexes. */
const MOST_BUFFERS_OF_MINT = 700

/** Statements that read more pages of 8 kB than so many. */
const tooMuchOf = (statements: readonly Read[], most: number): string[] =>
  statements.filter(({ buffers }) => buffers > most).map(({ query, buffers }) => `${buffers} buffers: ${query}`)

test('a worker with nothing to do reads by indexes only', async () => {
  // The seed has a row for every few minutes of the past: while the clock goes on, there is always one that has just
  // become too old.
  vi.useFakeTimers({ toFake: ['Date'] })
  onTestFinished(() => void vi.useRealTimers())
  await round() // what is left from the seed: accounts to list, a cursor to begin, old rows
  await round() // what the first round changed is counted
  // As PostgreSQL does by itself after many deletions. While it analyzes a table, it keeps the old versions of rows.
  await until('The end of old rows', async () => {
    await asOwner('VACUUM ANALYZE')
    return !(await hasDeadRows())
  })
  const statements = await statementsOf(() => round())
  expect(statements.length).toBeGreaterThan(40)
  expect(tooMuchOf(statements, MOST_BUFFERS)).toEqual([])
  const often = await statementsOf(() => round(OFTEN))
  expect(sumOf(often)).toBeLessThanOrEqual(statementsOfNothing + MORE_STATEMENTS)
})

test('a mint beside many others is sent, seen and finished by indexes only', async () => {
  const organization = await makeOrganization()
  const { api, itemIds, sender } = await makeOnChainCollection(organization, chain, { items: 2 })
  const mint = async (item_id: string) => {
    const { body } = await api.post('/v1/mint-requests', { item_id, to_address: makeRandomAddress() })
    await sender.run()
    for (const each of ['index', 'match', 'watch', 'look']) await LOOPS[each]!()
    expect((await api.get(`/v1/mint-requests/${body.mint_requests[0].id}`)).body.state).toBe('COMPLETED')
  }
  await mint(itemIds[0]!) // what connections read of the catalog at first
  const statements = await statementsOf(() => mint(itemIds[1]!))
  expect(statements.length).toBeGreaterThan(30)
  expect(tooMuchOf(statements, MOST_BUFFERS_OF_MINT)).toEqual([])
})
