import { writeFileSync } from 'node:fs'
import os from 'node:os'
import path from 'node:path'
import pg from 'pg'
import { afterAll, beforeAll, expect, test, vi } from 'vitest'
import { createWalletClient, http, type Address } from 'viem'
import { foundry } from 'viem/chains'
import { Prisma } from '../../generated/prisma/client.ts'
import { env } from '../../lib/core/env.ts'
import { newId } from '../../lib/core/id.ts'
import { encodeSetBaseUri } from '../../lib/core/contracts/calls.ts'
import { projectLogs } from '../../lib/onchain/indexer/project-logs.ts'
import { storeLogs } from '../../lib/onchain/indexer/store-logs.ts'
import type { ChainLogRow } from '../../lib/onchain/indexer/moves-of.ts'
import { openTransaction } from '../../lib/orders/open-transaction.ts'
import { systemContext } from '../../lib/platform/auth/authenticate.ts'
import { inTransaction } from '../../lib/platform/auth/context.ts'
import { viemChain } from '../../lib/ports/chain/viem-chain.ts'
import { replacePorts } from '../../lib/ports/ports.ts'
import { openLeadership } from '../../lib/worker/leadership.ts'
import { runTimer } from '../../lib/worker/run-timer.ts'
import { sendTransactions, watchTransactions } from '../../lib/worker/send-transactions.ts'
import { asOwner } from '../support/as-owner.ts'
import { callerOf } from '../support/call.ts'
import { startChain, type TestChain } from '../support/chain.ts'
import { makeAddress, makeCollection, makeTransfer721, ZERO_ADDRESS } from '../support/chain-logs.ts'
import { makeRandomAddress } from '../support/claims.ts'
import { makeItems } from '../support/collections.ts'
import { countRoundTrips } from '../support/count-round-trips.ts'
import { catchUpWith } from '../support/indexing.ts'
import { atFileEnd } from '../support/file-end.ts'
import { makeDurable } from '../support/make-durable.ts'
import { startNodeProxy } from '../support/node-proxy.ts'
import { makeOrganization, type TestOrganization } from '../support/organization.ts'
import { makeOnChainCollection } from '../support/sending.ts'
import { until } from '../support/until.ts'
import { openCancellations } from '../support/voucher-cancellations.ts'
import { insertBare } from './chain/insert-bare.ts'

// npm run bench:chain: what sending and indexing reach beside what the node and the database could do. BENCH_WRITE=1
// writes docs/benchmarks/chain.md.

const COUNT = Number(process.env.BENCH_TRANSACTIONS ?? '400')
const DELAY_MS = Number(process.env.BENCH_DELAY_MS ?? '80')
const IN_FLIGHT = process.env.BENCH_IN_FLIGHT ?? '200'
const MOVES = Number(process.env.BENCH_MOVES ?? '20000')
const MOVES_PER_STEP = 2_000

vi.setConfig({ testTimeout: 3_600_000, hookTimeout: 600_000 })

let testChain: TestChain
let organization: TestOrganization
let node: Awaited<ReturnType<typeof startNodeProxy>>
const { MAX_IN_FLIGHT } = env
const lines: string[] = []

beforeAll(async () => {
  await makeDurable()
  testChain = await startChain()
  organization = await makeOrganization()
  node = await startNodeProxy(testChain.rpcUrl)
})

function say(line: string): void {
  lines.push(line)
  console.log(line)
}

const secondsSince = (started: number): number => (performance.now() - started) / 1000

/** Runs the sender and the watcher of a worker, whose node is DELAY_MS away, until these transactions are completed. */
async function timeSending(what: string, inFlight: string, ids: readonly string[]): Promise<void> {
  env.MAX_IN_FLIGHT = inFlight
  const chain = viemChain(testChain.network, [node.url])
  replacePorts({ chains: new Map([[31337, chain]]) })
  const leadership = openLeadership(newId())
  const ending = new AbortController()
  const ctx = systemContext('bench')
  const isOver = async () => {
    const open = await ctx.sql(
      Prisma.sql`SELECT 1 FROM transactions WHERE network_id = 31337 AND state IN ('PENDING', 'SUBMITTED') LIMIT 1`,
    )
    return open.length === 0
  }
  node.delayMs = DELAY_MS
  node.posts = []
  const before = process.cpuUsage()
  const started = performance.now()
  const { roundTrips } = await countRoundTrips(async () => {
    const loops = [
      runTimer(sendTransactions(chain, testChain.operator.address), leadership, ending.signal),
      runTimer(watchTransactions(chain), leadership, ending.signal),
    ]
    await until('The last transaction', isOver, 3_000_000)
    ending.abort()
    await Promise.all(loops)
  })
  const seconds = secondsSince(started)
  const { user, system } = process.cpuUsage(before)
  node.delayMs = 0
  await leadership.close()
  env.MAX_IN_FLIGHT = MAX_IN_FLIGHT
  replacePorts({ chains: new Map([[31337, testChain.chain]]) })
  const rows = await ctx.db.transaction.findMany({ where: { id: { in: [...ids] } }, select: { onChainStatus: true } })
  expect(rows.every(({ onChainStatus }) => onChainStatus === 'SUCCESS')).toBe(true)
  say(
    `| ${what} | ${inFlight} | ${ids.length} | ${(ids.length / seconds).toFixed(0)} | ${(node.posts.length / ids.length).toFixed(1)} | ${(roundTrips.length / ids.length).toFixed(1)} | ${((user + system) / 1000 / ids.length).toFixed(1)} ms |`,
  )
}

const openSettings = async (collectionId: string, count: number): Promise<string[]> => {
  const ids: string[] = []
  await inTransaction(organization.ctx, async (tx) => {
    for (let at = 0; at < count; at++) {
      const payload = { base_uri: `https://example.com/${at}/` }
      ids.push(await openTransaction(tx, { collectionId, networkId: 31337, txType: 'SET_BASE_URI', payload }))
    }
  })
  return ids
}

/** Waiting transfers of tokens in custody, each to an address of its own. */
async function openTransfers(count: number): Promise<string[]> {
  const api = callerOf(organization.key)
  const { collectionId, sender } = await makeOnChainCollection(organization, testChain, { items: 0 })
  const itemIds: string[] = []
  for (let made = 0; made < count; made += 100)
    itemIds.push(...(await makeItems(api, collectionId, Math.min(100, count - made))))
  const ask = async (to: (at: number) => Address) => {
    for (let at = 0; at < count; at += 100) {
      const item_ids = itemIds.slice(at, at + 100)
      const { status, body } = await api.post('/v1/mint-requests', {
        item_ids,
        to_addresses: item_ids.map((_, i) => to(at + i)),
      })
      expect(status, JSON.stringify(body)).toBe(201)
    }
  }
  await ask(() => testChain.operator.address)
  await until('The mints', async () => {
    await sender.run()
    return (await organization.ctx.db.mintRequest.count({ where: { collectionId, state: 'COMPLETED' } })) === count
  })
  await catchUpWith(testChain.chain)
  await ask(() => makeRandomAddress())
  const rows = await organization.ctx.db.transaction.findMany({
    where: { collectionId, txType: 'TRANSFER_TOKEN' },
    select: { id: true },
  })
  expect(rows).toHaveLength(count)
  return rows.map(({ id }) => id)
}

/** The same calls, signed and broadcast by viem beside us, each when the one before was answered. */
async function timeBare(contract: Address, count: number): Promise<void> {
  const account = testChain.operator
  node.delayMs = DELAY_MS
  const wallet = createWalletClient({ account, chain: foundry, transport: http(node.url) })
  const started = performance.now()
  for (let at = 0; at < count; at++)
    await wallet.sendTransaction({ to: contract, data: encodeSetBaseUri(`https://example.com/bare/${at}/`) })
  const seconds = secondsSince(started)
  node.delayMs = 0
  say(`| the same by viem, one after another | 1 | ${count} | ${(count / seconds).toFixed(1)} | | | |`)
}

test(`sending keeps its rate with a node ${DELAY_MS} ms away that mines at once`, async () => {
  const { collectionId } = await makeOnChainCollection(organization, testChain, { items: 0 })
  say(
    '| what is sent | in flight | transactions | a second | requests to the node each | round trips to the database each | processor time each |',
  )
  say('|---|---|---|---|---|---|---|')
  await timeSending('settings', '1', await openSettings(collectionId, 20))
  await timeSending('settings', '16', await openSettings(collectionId, COUNT))
  await timeSending('settings', IN_FLIGHT, await openSettings(collectionId, COUNT))
  await timeSending('transfers of tokens in custody', IN_FLIGHT, await openTransfers(COUNT))
})

/** A collection with so many items, each with a voucher whose cancellation waits. */
async function makeCancellations(count: number): Promise<string[]> {
  const api = callerOf(organization.key)
  const { collectionId } = await makeOnChainCollection(organization, testChain, { items: 0 })
  const itemIds: string[] = []
  for (let made = 0; made < count; made += 100)
    itemIds.push(...(await makeItems(api, collectionId, Math.min(100, count - made))))
  return openCancellations(organization, { collectionId, itemIds })
}

test('cancellations of vouchers are indexed', async () => {
  await timeSending('cancellations of vouchers', IN_FLIGHT, await makeCancellations(COUNT))
})

test('the node alone mines so many transactions', async () => {
  const { contract } = await makeOnChainCollection(organization, testChain, { items: 0 })
  await timeBare(contract, 20)
})

/** A collection with this many items, and a mint and a transfer of each. */
async function makeMoves(
  items: number,
): Promise<{ organizationId: string; collectionId: string; logs: ChainLogRow[] }> {
  const collection = await makeCollection(organization, { items: 0 })
  await asOwner(`
    INSERT INTO items (id, organization_id, collection_id, attributes, token_id, max_supply, locked_at, updated_at)
    SELECT gen_random_uuid(), '${collection.organizationId}', '${collection.id}', '{}', n::text, 1, now(), now() FROM generate_series(1, ${items}) n;
    ANALYZE items`)
  const logs = Array.from({ length: 2 * items }, (_, at) => {
    const tokenId = BigInt(1 + (at % items))
    const place = { block: Math.floor(at / 100), index: at % 100, tx: `${collection.id} ${at}` }
    const [from, to] = at < items ? [ZERO_ADDRESS, makeAddress(at)] : [makeAddress(at - items), makeAddress(at)]
    return makeTransfer721(collection, place, from, to, tokenId)
  })
  return { organizationId: collection.organizationId, collectionId: collection.id, logs }
}

const stepsOf = (logs: readonly ChainLogRow[]): ChainLogRow[][] =>
  Array.from({ length: Math.ceil(logs.length / MOVES_PER_STEP) }, (_, at) =>
    logs.slice(at * MOVES_PER_STEP, (at + 1) * MOVES_PER_STEP),
  )

test('indexing is compared with a bare unnest into the same tables and keys', async () => {
  const client = new pg.Client({ connectionString: env.MIGRATE_DATABASE_URL })
  await client.connect()
  atFileEnd(() => client.end())
  for (const table of ['chain_logs', 'item_history', 'item_owners', 'events'])
    await client.query(`CREATE TABLE bare_${table} (LIKE ${table} INCLUDING ALL)`)
  await systemContext('bench').db.chainCursor.upsert({
    where: { networkId: 31337 },
    create: { networkId: 31337, number: 0n },
    update: {},
  })
  say('')
  say('| transfers | indexer, a second | bare unnest, a second | share |')
  say('|---|---|---|---|')
  // The first round is not counted: its code is compiled, and its statements are planned.
  for (let round = 0; round < 4; round++) {
    const { collectionId, logs } = await makeMoves(round === 0 ? MOVES_PER_STEP : MOVES / 2)
    const rows = await organization.ctx.db.item.findMany({
      where: { collectionId },
      select: { id: true, tokenId: true },
    })
    const itemIds = new Map(rows.map(({ id, tokenId }) => [tokenId, id]))
    const before = performance.now()
    for (const step of stepsOf(logs))
      await inTransaction(systemContext('bench'), async (tx) => {
        await storeLogs(tx, step)
        await projectLogs(tx, step)
      })
    const indexed = logs.length / secondsSince(before)
    const started = performance.now()
    for (const step of stepsOf(logs))
      await insertBare(client, step, ({ topics }) => itemIds.get(String(BigInt(topics[3]!)))!)
    const bare = logs.length / secondsSince(started)
    if (round > 0)
      say(`| ${logs.length} | ${indexed.toFixed(0)} | ${bare.toFixed(0)} | ${((100 * indexed) / bare).toFixed(0)} % |`)
  }
})

afterAll(() => {
  if (!process.env.BENCH_WRITE) return
  const file = path.resolve(import.meta.dirname, '../../docs/benchmarks/chain.md')
  const [load] = os.loadavg()
  const head = `# Sending and indexing

What the sender and the indexer reach beside what the node and the database allow. \`npm run bench:chain\` prints these tables; with \`BENCH_WRITE=1\` it writes them here. Transactions are sent by the loops of a worker, to a
local node that mines each at once and answers after ${DELAY_MS} ms (\`BENCH_DELAY_MS\`). The indexer enters its logs in steps of ${MOVES_PER_STEP}, into tables that were empty; the bare statements insert the same rows into tables with the
same columns and keys, and neither decide nor count anything. Load of the machine at the end: ${load!.toFixed(1)} on ${os.cpus().length} cores.

`
  writeFileSync(file, head + lines.join('\n') + '\n')
})
