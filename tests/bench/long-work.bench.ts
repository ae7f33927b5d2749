import { spawn } from 'node:child_process'
import fs from 'node:fs'
import path from 'node:path'
import { setTimeout as wait } from 'node:timers/promises'
import pg from 'pg'
import { zeroAddress } from 'viem'
import { beforeAll, expect, onTestFinished, test, vi } from 'vitest'
import { newId } from '../../lib/core/id.ts'
import { systemClient } from '../../lib/db/client.ts'
import { addMoves, beginSnapshot } from '../../lib/data/snapshots/add-moves.ts'
import { runImports } from '../../lib/data/imports/run-imports.ts'
import { finishDeletions } from '../../lib/messaging/deletions/finish-deletions.ts'
import { systemContext } from '../../lib/platform/auth/authenticate.ts'
import { freePort } from '../../scripts/launcher/ports.ts'
import { fillDatabase, type Seeded } from '../../scripts/seed-big/fill-database.ts'
import { asOwner } from '../support/as-owner.ts'
import { callerOf } from '../support/call.ts'
import { startChain } from '../support/chain.ts'
import { makeItem } from '../support/claims.ts'
import { makeCollection, makeDeployedCollection } from '../support/collections.ts'
import { makeOrganization } from '../support/organization.ts'
import { until } from '../support/until.ts'

// What long work takes on a database that `npm run seed:big` fills, while a small organization asks for its items.
// Nothing passes or fails by time. BENCH_SCALE=1 fills a million items; BENCH_LINES is the length of imported files,
// BENCH_SIZE=0.1 a tenth of the other work.
const SCALE = Number(process.env.BENCH_SCALE ?? '0.1')
const LINES = Number(process.env.BENCH_LINES ?? '10000')
/** What share of the rows that locks, reveals, deletions and snapshots are asked for. */
const SIZE = Number(process.env.BENCH_SIZE ?? '1')
const EXPORTED = 1_000_000
const root = path.resolve(import.meta.dirname, '../..')

vi.setConfig({ testTimeout: 36_000_000, hookTimeout: 36_000_000 })

type Figure = {
  seconds: number
  processorSeconds: number
  postgresSeconds: number
  pages: number
  slowestMs: number
  memoryMb: number
}
const say = (line: string) => process.stdout.write(`${line}\n`)
const figuresOf = ({ seconds, processorSeconds, postgresSeconds, pages, slowestMs, memoryMb }: Figure) =>
  `${seconds.toFixed(1)} s, ${processorSeconds.toFixed(1)} s of processor time, ${postgresSeconds.toFixed(1)} s of PostgreSQL’s, ${pages.toFixed(0)} pages of PostgreSQL, ${memoryMb.toFixed(0)} MB more memory; the slowest get of a small organization ${slowestMs.toFixed(0)} ms`

let seeded: Seeded
let empty: { claimsASecond: number }
const apiOf = () => callerOf(seeded.api_key)

beforeAll(async () => {
  await startChain()
  await asOwner('CREATE EXTENSION IF NOT EXISTS pg_stat_statements')
  empty = { claimsASecond: await carryOutClaims('an empty database') }
  seeded = await fillDatabase(process.env.MIGRATE_DATABASE_URL!, { scale: SCALE, say })
})

/** What was read since the last call; the statements that read most are told with `BENCH_STATEMENTS`. */
async function pagesRead(): Promise<number> {
  const client = new pg.Client({ connectionString: process.env.MIGRATE_DATABASE_URL })
  await client.connect()
  const { rows } = await client.query<{ pages: number; ms: number; calls: number; query: string }>(
    `SELECT (shared_blks_hit + shared_blks_read)::float8 AS pages, total_exec_time AS ms, calls::int, query FROM pg_stat_statements
     WHERE dbid = (SELECT oid FROM pg_database WHERE datname = current_database()) AND toplevel ORDER BY 1 DESC`,
  )
  await client.query('SELECT pg_stat_statements_reset(0, oid, 0) FROM pg_database WHERE datname = current_database()')
  await client.end()
  for (const { pages, ms, calls, query } of process.env.BENCH_STATEMENTS ? rows.slice(0, 8) : [])
    say(`    ${pages} pages, ${ms.toFixed(0)} ms, ${calls} calls: ${query.replaceAll(/\s+/g, ' ').slice(0, 160)}`)
  return rows.reduce((sum, { pages }) => sum + pages, 0)
}

/** The processor time that the server's processes have taken so far. */
async function postgresSecondsSoFar(): Promise<number> {
  const [{ pid }] = await systemClient().$queryRawUnsafe<[{ pid: number }]>('SELECT pg_backend_pid() AS pid')
  const fieldsOf = (process: string | number): number[] => {
    const stat = fs.readFileSync(`/proc/${process}/stat`, 'utf8')
    return stat
      .slice(stat.lastIndexOf(')') + 2)
      .split(' ')
      .map(Number)
  }
  const [PARENT, OWN, OF_ENDED_CHILDREN] = [1, 11, 13]
  const ticksOf = (fields: number[], from: number) => fields[from]! + fields[from + 1]!
  const postmaster = fieldsOf(pid)[PARENT]!
  const ticks = fs
    .readdirSync('/proc')
    .filter((name) => /^\d+$/.test(name) && fs.existsSync(`/proc/${name}/stat`))
    .map((name) => fieldsOf(name))
    .filter((fields) => fields[PARENT] === postmaster)
    .reduce((sum, fields) => sum + ticksOf(fields, OWN), ticksOf(fieldsOf(postmaster), OF_ENDED_CHILDREN))
  return ticks / 100
}

/** Works while the small organization asks for its items, one request after another. */
async function beside<T>(what: string, work: () => Promise<T>): Promise<{ result: T; figure: Figure }> {
  const small = seeded && callerOf(seeded.small_api_key)
  let isOver = false
  let slowestMs = 0
  const asking = (async () => {
    while (small && !isOver) {
      const asked = performance.now()
      expect((await small.get('/v1/items?limit=20')).status).toBe(200)
      slowestMs = Math.max(slowestMs, performance.now() - asked)
      await wait(20)
    }
  })()
  globalThis.gc?.()
  await pagesRead()
  const postgresBefore = await postgresSecondsSoFar()
  const [started, cpu, memory] = [performance.now(), process.cpuUsage(), process.memoryUsage().rss]
  const result = await work().finally(() => (isOver = true))
  const used = process.cpuUsage(cpu)
  const figure = {
    seconds: (performance.now() - started) / 1000,
    processorSeconds: (used.user + used.system) / 1e6,
    postgresSeconds: (await postgresSecondsSoFar()) - postgresBefore,
    pages: await pagesRead(),
    slowestMs,
    memoryMb: (process.memoryUsage().rss - memory) / 1e6,
  }
  await asking
  say(`${what}: ${figuresOf(figure)}`)
  return { result, figure }
}

/** Judges and carries out a file of claims. Returns how many are carried out a second. */
async function carryOutClaims(where: string): Promise<number> {
  const organization = await makeOrganization()
  const { itemId } = await makeItem(organization, { tokenType: 'ERC1155', maxSupply: BigInt(LINES) })
  const csv = ['email,item', ...Array.from({ length: LINES }, () => `${newId()}@example.com,${itemId}`)].join('\n')
  const api = callerOf(organization.key)
  await beside(`judge ${LINES} lines of claims in ${where}`, async () => {
    const { status, body } = await api.post('/v1/email-claims/import', { csv, dry_run: false })
    expect([status, body.ok_count]).toEqual([201, LINES])
  })
  const { figure } = await beside(`carry them out in ${where}`, async () => {
    while ((await runImports(systemContext())) > 0);
  })
  return LINES / figure.seconds
}

test('an export of a million items is measured', async () => {
  const port = await freePort()
  const child = spawn(process.execPath, ['--max-semi-space-size=16', path.join(root, 'scripts/start.mjs')], {
    cwd: root,
    env: { ...process.env, NODE_ENV: 'production', PORT: String(port), ORIGIN: `http://localhost:${port}` },
    stdio: ['ignore', 'ignore', 'inherit'],
  })
  onTestFinished(() => void child.kill('SIGKILL'))
  const ask = (url: string) =>
    fetch(`http://127.0.0.1:${port}${url}`, { headers: { authorization: `Bearer ${seeded.api_key}` } })
  await until('The web process', async () => (await ask('/v1/items?limit=1').catch(() => null))?.ok, 120_000)
  for (let n = 0; n < 200; n++) await (await ask('/v1/items?limit=100')).text()
  const memoryMb = () => Number(/VmRSS:\s+(\d+)/.exec(fs.readFileSync(`/proc/${child.pid}/status`, 'utf8'))![1]) / 1024
  const [before, memories, firstBytes] = [memoryMb(), [] as number[], [] as number[]]
  const watching = setInterval(() => memories.push(memoryMb()), 1_000)
  let lines = 0
  const started = performance.now()
  while (lines < EXPORTED) {
    const asked = performance.now()
    const { body } = await ask('/v1/exports/items.csv')
    let isFirst = true
    for await (const piece of body!) {
      if (isFirst) firstBytes.push(performance.now() - asked)
      isFirst = false
      for (const byte of piece) if (byte === 10) lines++
    }
  }
  clearInterval(watching)
  say(
    `export ${lines} lines: ${((performance.now() - started) / 1000).toFixed(0)} s, first byte after ${Math.max(...firstBytes).toFixed(0)} ms at most, memory ${before.toFixed(0)} MB before, ${Math.min(...memories).toFixed(0)} to ${Math.max(...memories).toFixed(0)} MB meanwhile`,
  )
})

test('an import of claims is measured', async () => {
  const claimsASecond = await carryOutClaims('a big database')
  say(`claims a second: ${claimsASecond.toFixed(0)}, in the empty database ${empty.claimsASecond.toFixed(0)}`)
})

test('an import of 100,000 items is measured', async () => {
  const lines = 100_000 * SIZE
  const api = apiOf()
  const collectionId = await makeCollection(api)
  const csv = ['title,rarity', ...Array.from({ length: lines }, (_, n) => `Item ${n},${n % 7}`)].join('\n')
  await beside(`judge ${lines} lines of items`, async () => {
    const { status, body } = await api.post('/v1/items/import', { csv, collection_id: collectionId, dry_run: false })
    expect([status, body.ok_count]).toEqual([201, lines])
  })
  await beside('carry them out', async () => {
    while ((await runImports(systemContext())) > 0);
  })
  await beside('delete a collection that has items', async () => {
    expect((await api.delete(`/v1/collections/${collectionId}`)).status).toBe(409)
  })
})

/** Unlocked items that a process of ours made long ago, each with attributes of its own. */
const fillCollection = (organizationId: string, collectionId: string, count: number) =>
  asOwner(`
    INSERT INTO items (id, organization_id, collection_id, attributes, updated_at)
    SELECT uuidv7(), '${organizationId}', '${collectionId}', jsonb_build_object('title', 'Item ' || n, 'rarity', (n % 7)::text, 'number', n), now()
    FROM generate_series(1, ${count}) n`)

test('a lock of 50,000 items is measured', async () => {
  const count = 50_000 * SIZE
  const collectionId = await makeCollection(apiOf())
  await fillCollection(seeded.organization_id, collectionId, count)
  await beside(`lock ${count} items`, async () => {
    const { status, body } = await apiOf().post('/v1/items/lock', { collection_id: collectionId })
    expect([status, body.lock_outputs?.length], JSON.stringify(body).slice(0, 500)).toEqual([201, count])
  })
})

test('a reveal of 20,000 items is measured', async () => {
  const count = 20_000 * SIZE
  const organization = await makeOrganization()
  const own = callerOf(organization.key)
  const hidden = await makeDeployedCollection(organization, {
    reveal_strategy: 'DELAYED',
    preview_metadata: { title: 'Soon' },
  })
  await fillCollection(organization.id, hidden, count)
  await beside(`lock ${count} items of a hidden collection`, async () => {
    expect((await own.post('/v1/items/lock', { collection_id: hidden })).status).toBe(201)
  })
  await beside(`reveal ${count} items`, async () => {
    const { status, body } = await own.post(`/v1/collections/${hidden}/reveal`, {})
    expect(status, JSON.stringify(body)).toBe(200)
  })
})

const LAST_BLOCK = 1_000_000n
test('a snapshot of 100,000 holders is measured', async () => {
  const count = 100_000 * SIZE
  const organization = await makeOrganization()
  const { itemId, collectionId } = await makeItem(organization, { tokenType: 'ERC1155', maxSupply: 1_000_000n })
  await asOwner(`
    SET session_replication_role = replica;
    INSERT INTO item_history (id, organization_id, collection_id, item_id, token_id, type, quantity, from_address, to_address, network_id, tx_hash,
        block_number, log_index, timestamp)
      SELECT uuidv7(), '${organization.id}', '${collectionId}', '${itemId}', '1', 'MINT', 1, '${zeroAddress}', '0x' || left(encode(sha256(n::text::bytea), 'hex'), 40),
        31337, '${itemId}', n / 100, n, now() FROM generate_series(1, ${count}) n`)
  const { body } = await callerOf(organization.key).post('/v1/snapshots', {
    name: 'All',
    collection_id: collectionId,
    block_number: Number(LAST_BLOCK),
  })
  const { ctx } = organization
  await beside(`a snapshot of ${count} holders`, async () => {
    await beginSnapshot(ctx, await ctx.db.snapshot.findFirstOrThrow({ where: { id: body.id } }), LAST_BLOCK)
    while (!(await addMoves(ctx, body.id, 10_000)));
  })
  expect((await ctx.db.snapshot.findFirstOrThrow({ where: { id: body.id } })).holderCount).toBe(count)
})

test.each([
  { what: 'campaign', table: 'email_claims', column: 'campaign_id', at: 'marketing-campaigns', asked: 100_000 },
  { what: 'webhook', table: 'webhook_deliveries', column: 'webhook_id', at: 'webhooks', asked: 600_000 },
])('a deleted $what is measured', async ({ what, table, column, at, asked }) => {
  const [most] = await systemClient().$queryRawUnsafe<{ id: string; rows: bigint }[]>(
    `SELECT ${column}::text AS id, count(*) AS rows FROM ${table} WHERE organization_id = '${seeded.organization_id}' AND ${column} IS NOT NULL
     GROUP BY 1 ORDER BY 2 DESC LIMIT 1`,
  )
  const more = Math.max(0, asked * SIZE - Number(most!.rows))
  await asOwner(`
    SET session_replication_role = replica;
    INSERT INTO ${table} SELECT c.* FROM (SELECT * FROM ${table} WHERE ${column} = '${most!.id}' LIMIT 1) o, generate_series(1, ${more}) n,
      LATERAL jsonb_populate_record(NULL::${table}, to_jsonb(o) || jsonb_build_object('id', uuidv7(), 'event_id', NULL, 'place', n)) c`)
  await beside(`delete a ${what} with ${Number(most!.rows) + more} rows, the answer`, async () => {
    expect((await apiOf().delete(`/v1/${at}/${most!.id}`)).status).toBe(204)
  })
  await beside(`take out its rows`, async () => {
    while ((await finishDeletions(systemContext())) === 0);
  })
})
