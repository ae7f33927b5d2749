import pg from 'pg'
import { beforeAll, expect, onTestFinished, test } from 'vitest'
import { env } from '../../lib/core/env.ts'
import { newId } from '../../lib/core/id.ts'
import { tellOfWork } from '../../lib/db/work-channel.ts'
import { onWritten, written } from '../../lib/db/written.ts'
import { inTransaction } from '../../lib/platform/auth/context.ts'
import { systemContext } from '../../lib/platform/auth/authenticate.ts'
import { JOBS } from '../../lib/platform/jobs/jobs.ts'
import { type DueKind, FIND_DUE_KINDS, isDueKind, kindOf } from '../../lib/worker/due-kinds.ts'
import { hearWork } from '../../lib/worker/hear-work.ts'
import { openLook } from '../../lib/worker/look.ts'
import { TIMERS } from '../../lib/worker/timers.ts'
import { atFileEnd } from '../support/file-end.ts'
import { until } from '../support/until.ts'

const NETWORK = 31337
const PAST = '2026-01-01T00:00:00Z'
const PAST_SECONDS = 1_767_225_600

/** A row of each kind that is due. Columns that aren't named get any value of their type. */
const DUE: Record<string, [table: string, row: Record<string, unknown>][]> = {
  jobs: [['jobs', { name: JOBS[0]!.name, due_at: PAST }]],
  'deliver webhooks': [['webhook_deliveries', { state: 'PENDING', next_at: PAST }]],
  'send urgent mail': [['outbox_messages', { state: 'PENDING', urgent: true, next_at: PAST }]],
  'send mail': [
    ['outbox_messages', { state: 'PENDING', urgent: false, next_at: PAST }],
    ['outbox_messages', { state: 'PENDING', urgent: false, next_at: PAST, organization_id: newId() }],
  ],
  'read foreign metadata': [['items', { metadata_due_at: PAST }]],
  'built-in card provider': [
    ['sandbox_events', { delivered_at: null, next_at: PAST, created_at: 'now' }],
    ['sandbox_accounts', { state: 'VERIFYING', verifies_at: PAST }],
    ['sandbox_payment_intents', { disputes_at: PAST }],
    ['sandbox_refunds', { settles_at: PAST }],
  ],
  'expire claims': [
    ['email_claims', { state: 'OPEN', expires_at: PAST }],
    ['email_claims', { state: 'LOCKED', expires_at: PAST }],
  ],
  'expire vouchers': [['vouchers', { network_id: NETWORK, state: 'PENDING', expiry: PAST_SECONDS }]],
  'expire transfers': [['signed_transfers', { network_id: NETWORK, state: 'PENDING', deadline: PAST_SECONDS }]],
  'settle escrows': ['WAITING', 'HELD', 'OFFERED', 'RETURNING', 'RETURN_REFUSED'].map((state) => [
    'escrows',
    { network_id: NETWORK, state },
  ]),
  'start and end listings': [
    ['listings', { status: 'SCHEDULED', starts_at: PAST, ends_at: null }],
    ['listings', { status: 'SCHEDULED', starts_at: null, ends_at: null }],
    ['listings', { status: 'ACTIVE', ends_at: PAST }],
    ['listings', { status: 'PAUSED', ends_at: PAST }],
  ],
  'finish deletions': [
    ['campaigns', { deleted_at: PAST }],
    ['webhooks', { deleted_at: PAST }],
  ],
  'run imports': [['imports', { state: 'RUNNING' }]],
  'mark metadata': [['metadata_passes', { due_at: PAST }]],
  'take snapshots': [['snapshots', { ready_at: null, failure: null }]],
  'fold figures': [
    ['claim_changes', {}],
    ['sale_changes', {}],
  ],
  'expire purchases': [['purchase_intents', { status: 'PENDING', expires_at: PAST }]],
  'settle purchases': [
    ['purchase_intents', { status: 'CONFIRMED', fulfillment_status: 'PENDING' }],
    ['purchase_intents', { status: 'REFUNDED', fulfillment_status: 'EXCEPTION' }],
    ['holds', { state: 'EXCEPTION' }],
  ],
  'tell alarms': [
    ['alarms', { resolved_at: null, told_at: null }],
    ['alarms', { resolved_at: PAST, told_at: PAST, end_told_at: null }],
  ],
  'mail alarms': [
    ['alarm_notices', { channel: 'OWNERS', told_at: null }],
    ['alarm_notices', { channel: 'OPERATOR', told_at: null }],
  ],
  'post alarms to the operator': [['alarm_notices', { channel: 'OPERATOR_WEBHOOK', told_at: null, next_at: PAST }]],
  'end tries': [
    ['row_tries', { next_try_at: PAST }],
    ['alarms', { kind: 'row_stuck', resolved_at: null, told_at: PAST, end_told_at: PAST }],
  ],
  'fold counts': [['row_counts', { folded: false }]],
  'fold sums of collections': [
    ['collection_sums', { folded: false }],
    ['collection_sums', { folded: true, amount: 0 }],
    ['collection_owners', { items: 0 }],
  ],
  [kindOf('send', NETWORK)]: [['transactions', { network_id: NETWORK, state: 'PENDING' }]],
  [kindOf('watch', NETWORK)]: [['transactions', { network_id: NETWORK, state: 'SUBMITTED' }]],
  [kindOf('index', NETWORK)]: [
    ['transactions', { network_id: NETWORK, state: 'PENDING' }],
    ['transactions', { network_id: NETWORK, state: 'SUBMITTED' }],
    ['vouchers', { network_id: NETWORK, state: 'PENDING' }],
    ['escrows', { network_id: NETWORK, state: 'WAITING' }],
    ['escrows', { network_id: NETWORK, state: 'HELD' }],
    ['escrows', { network_id: NETWORK, state: 'RETURNING' }],
    [
      'collections',
      { network_id: NETWORK, following: false, deployment_status: 'SUCCESS', contract_address: `0x${'1'.repeat(40)}` },
    ],
    ['recoveries', { network_id: NETWORK, ended_at: null }],
    ['snapshots', { ready_at: null, failure: null }],
  ],
  [kindOf('apply voucher facts', NETWORK)]: [['voucher_facts', { network_id: NETWORK, next_try_at: PAST }]],
  [kindOf('adopt tokens', NETWORK)]: [['item_history', { network_id: NETWORK, item_id: null }]],
  [kindOf('recover', NETWORK)]: [
    ['unmatched_mints', { network_id: NETWORK, state: 'UNCHECKED' }],
    ['unmatched_mints', { network_id: NETWORK, state: 'OURS' }],
    ['recoveries', { network_id: NETWORK, ended_at: null }],
  ],
}

let owner: pg.Client
beforeAll(async () => {
  owner = new pg.Client({ connectionString: env.MIGRATE_DATABASE_URL })
  await owner.connect()
  atFileEnd(() => owner.end())
})

async function findDue(networks = [NETWORK]): Promise<DueKind[]> {
  const { rows } = await owner.query<DueKind>(FIND_DUE_KINDS.text, [networks, JOBS.map(({ name }) => name)])
  return rows
}

type Column = { name: string; type: string; isArray: boolean; label: string | null }

/** Inserts a row of which nothing matters but these columns: keys of other tables and checks aren't looked at. */
async function insert(table: string, row: Record<string, unknown>): Promise<void> {
  const { rows: columns } = await owner.query<Column>(
    `SELECT a.attname AS name, format_type(a.atttypid, a.atttypmod) AS type, t.typcategory = 'A' AS "isArray",
       (SELECT enumlabel FROM pg_enum e WHERE e.enumtypid = t.oid ORDER BY enumsortorder LIMIT 1) AS label
     FROM pg_attribute a JOIN pg_type t ON t.oid = a.atttypid
     WHERE a.attrelid = $1::regclass AND a.attnum > 0 AND NOT a.attisdropped AND a.attgenerated = ''
       AND a.attidentity = '' AND a.attnotnull AND NOT a.atthasdef`,
    [table],
  )
  const { rows: checks } = await owner.query<{ name: string }>(
    `SELECT conname AS name FROM pg_constraint WHERE conrelid = $1::regclass AND contype = 'c'`,
    [table],
  )
  for (const { name } of checks) await owner.query(`ALTER TABLE ${table} DROP CONSTRAINT "${name}"`)
  const values = new Map<string, unknown>(columns.map((column) => [column.name, anyOf(column)]))
  for (const [name, value] of Object.entries(row)) values.set(name, value)
  const names = [...values.keys()]
  await owner.query(
    `INSERT INTO ${table} (${names.map((name) => `"${name}"`).join(', ')})
     VALUES (${names.map((_, at) => `$${at + 1}`).join(', ')})`,
    [...values.values()],
  )
}

function anyOf({ type, isArray, label }: Column): unknown {
  if (isArray) return '{}'
  if (label !== null) return label
  if (type === 'uuid') return newId()
  if (type === 'jsonb') return '{}'
  if (type === 'boolean') return false
  if (/^(text|character)/.test(type)) return newId()
  if (type.startsWith('time')) return '2100-01-01T00:00:00Z'
  if (type === 'bytea') return Buffer.from('any')
  return type === 'date' ? '2100-01-01' : 9_000
}

test.each(Object.entries(DUE))('the look tells when a row is due: %s', async (kind, rows) => {
  for (const [table, row] of rows) {
    await owner.query("BEGIN; SET LOCAL session_replication_role = 'replica'")
    try {
      expect((await findDue()).map((due) => due.kind)).not.toContain(kind)
      await insert(table, row)
      const found = (await findDue()).find((due) => due.kind === kind)
      expect(found, `${kind}: a row of ${table}`).toBeDefined()
      expect([0, PAST_SECONDS * 1000]).toContain(found!.at)
    } finally {
      await owner.query('ROLLBACK')
    }
  }
})

test('a row that is due later is told of with its time, and one of another network isn’t told of', async () => {
  await owner.query("BEGIN; SET LOCAL session_replication_role = 'replica'")
  try {
    await insert('email_claims', { state: 'OPEN', expires_at: '2100-01-01T00:00:00Z' })
    await insert('transactions', { network_id: NETWORK, state: 'PENDING' })
    expect(await findDue([1])).toEqual([{ kind: 'expire claims', at: Date.UTC(2100, 0, 1) }])
  } finally {
    await owner.query('ROLLBACK')
  }
})

test('each kind of the look is a timer or loop of the worker, and has a row here', async () => {
  const dueWork = ['jobs', 'deliver webhooks', 'send urgent mail', 'send mail', 'read foreign metadata']
  const names = [...dueWork, ...TIMERS.map(({ name }) => name).filter(isDueKind)]
  const ofNetwork = Object.keys(DUE).filter((kind) => kind.endsWith(` ${NETWORK}`))
  expect(Object.keys(DUE).toSorted()).toEqual([...names, ...ofNetwork].toSorted())
})

/** A look at rows that the test names, of a worker that hears or not. */
function lookFor({ hears }: { hears: boolean }) {
  const ending = new AbortController()
  const rows = new Map<string, number>()
  const state = { looks: 0 }
  const find = () => {
    state.looks++
    return Promise.resolve([...rows].map(([kind, at]) => ({ kind, at })))
  }
  const look = openLook({ networks: [], hears: () => hears, signal: ending.signal, find })
  onTestFinished(async () => {
    ending.abort()
    await look.ended
  })
  return { look, rows, state, signal: ending.signal }
}
const LONG_MS = 3_600_000

test('a loop that rests goes on when a wake is followed by a look that finds its rows', async () => {
  const { look, rows, state, signal } = lookFor({ hears: true })
  await until('The first look', () => state.looks === 1)
  const resting = look.untilDue('a', LONG_MS, signal)
  rows.set('a', 0)
  look.wake()
  await resting
  expect([look.isDue('a'), look.isDue('b')]).toEqual([true, false])
})

test.each([{ hears: true }, { hears: false }])(
  'work is found without any wake by a worker that hears: $hears',
  async ({ hears }) => {
    const { look, rows, state, signal } = lookFor({ hears })
    await until('The first look', () => state.looks === 1)
    const resting = look.untilDue('a', LONG_MS, signal)
    rows.set('a', 0)
    await resting
  },
)

test('a row that is due later is found at its time, without a wake', async () => {
  const { look, rows, state, signal } = lookFor({ hears: true })
  await until('The first look', () => state.looks === 1)
  const dueAt = systemContext('test').now().getTime() + 300
  rows.set('later', dueAt)
  look.wake()
  await look.untilDue('later', LONG_MS, signal)
  expect(systemContext('test').now().getTime()).toBeGreaterThanOrEqual(dueAt)
})

test('a wake for nothing wakes no loop, and a thousand of them share few looks', async () => {
  const { look, rows, state, signal } = lookFor({ hears: true })
  let isWoken = false
  const resting = look.untilDue('a', LONG_MS, signal).then(() => (isWoken = true))
  for (let wakes = 0; wakes < 1_000; wakes++) look.wake()
  await until('The look after them', () => state.looks >= 2)
  expect(isWoken).toBe(false)
  expect(state.looks).toBeLessThan(10)
  rows.set('a', 0)
  look.wake()
  await resting
})

test('while no look succeeds every kind counts as due', () => {
  const ending = new AbortController()
  onTestFinished(() => ending.abort())
  const find = () => new Promise<DueKind[]>(() => undefined)
  const look = openLook({ networks: [], hears: () => true, signal: ending.signal, find })
  expect(look.isDue('anything')).toBe(true)
})

/** A worker that hears, and another process that tells. */
function openBoth() {
  const ending = new AbortController()
  const state = { wakes: 0 }
  const hearing = hearWork(newId(), ending.signal, () => void state.wakes++)
  const telling = new AbortController()
  onTestFinished(async () => {
    telling.abort()
    ending.abort()
    await hearing.ended
  })
  return { hearing, state, tell: () => tellOfWork(newId(), telling.signal) }
}

test('a worker hears of what another process has committed, and not of what it only read', async () => {
  const { hearing, state, tell } = openBoth()
  await until('To hear', hearing.hears)
  tell()
  await systemContext('test').db.organization.count()
  expect(state.wakes).toBe(0)
  await inTransaction(systemContext('test'), (tx) => tx.db.rowTry.deleteMany({ where: { rowId: newId() } }))
  await until('The wake', () => state.wakes > 0)
})

test('a worker whose connection was lost knows, and hears again by another', async () => {
  const { hearing, state, tell } = openBoth()
  await until('To hear', hearing.hears)
  tell()
  await owner.query(
    `SELECT pg_terminate_backend(pid) FROM pg_stat_activity
     WHERE datname = current_database() AND application_name = 'vitrine_work'`,
  )
  await until('To know', () => !hearing.hears())
  // Its look is a quick one from then on; the loss itself is a wake.
  expect(state.wakes).toBeGreaterThan(0)
  await until('To hear again', hearing.hears)
  const before = state.wakes
  written()
  await until('The wake', () => state.wakes > before)
})

test('nobody is told once the process stops', () => {
  let told = 0
  const end = onWritten(() => void told++)
  written()
  end()
  written()
  expect(told).toBe(1)
})
