import fs from 'node:fs'
import pg from 'pg'
import { afterAll, expect, test, vi } from 'vitest'

/**
 * npm run bench:gets: every GET of both interfaces with every filter, with common, rare and absent values, in both
 * orders, on the first page, the second and one in the middle, on a database that `npm run seed:big` has filled; beside
 * it the same of its smallest organization. BIG_DATABASE_URL and BIG_MIGRATE_DATABASE_URL name the database, in which
 * API keys are made. ONLY (a part of a path) and NAMED (a part of what is printed) narrow it, WITHOUT (a part of a
 * path) leaves out, ROUNDS says how often each is asked, PAIRS=1 asks each two filters together, newest first. Prints
 * what is above the bounds, with the statement that read most, and for each endpoint its slowest request. Judged is the
 * processor time of this process and of PostgreSQL, so that others may use the machine, too: the least of the rounds,
 * against BOUND_MS. FIGURES names a file that all figures are written to, as JSON; BESIDE such a file of another
 * database, such as one of `npm run seed:big -- --scale 0.001`, whose largest organization has 1,000 items: how many
 * times the processor time each request took is printed then.
 */
const settings = vi.hoisted(() => {
  const {
    BIG_DATABASE_URL,
    BIG_MIGRATE_DATABASE_URL,
    ONLY = '',
    NAMED = '',
    WITHOUT,
    ROUNDS = '3',
    PAIRS,
    BOUND_MS = '50',
    FIGURES,
    BESIDE,
  } = process.env
  if (BIG_DATABASE_URL && BIG_MIGRATE_DATABASE_URL)
    Object.assign(process.env, { DATABASE_URL: BIG_DATABASE_URL, MIGRATE_DATABASE_URL: BIG_MIGRATE_DATABASE_URL })
  return {
    owner: BIG_MIGRATE_DATABASE_URL,
    only: ONLY,
    named: NAMED,
    without: WITHOUT,
    rounds: Number(ROUNDS),
    pairs: Boolean(PAIRS),
    boundMs: Number(BOUND_MS),
    file: FIGURES,
    beside: BESIDE,
  }
})

import type { Endpoint } from '../../lib/platform/api/endpoint.ts'
import { endpoints } from '../../lib/platform/api/index.ts'
import { call } from '../support/call.ts'
import { installFakeChain } from '../support/claims.ts'
import { makeKey } from '../support/organization.ts'
import { middleCursor, rememberList } from './gets/middle.ts'
import { backends, processorTimes, spentBetween } from './gets/processor-time.ts'
import { type Asked, requestsOf } from './gets/queries.ts'
import { type Figure, ratiosOf } from './gets/ratios.ts'
import { readValues } from './gets/values.ts'
import { median } from './http/median.ts'

vi.mock('../../lib/core/cursor.ts', async (original) => rememberList(await original()))

/** Server time; of figures, which may take longer; and pages of 8 kB that are read for a page of 100. */
const BOUND_FIGURES_MS = 2 * settings.boundMs
const BOUND_BUFFERS = 1_500
const FIGURES = /analytics|stats/
/** Exports, which are files, what asks a node, and what only a buyer's secret opens. */
const LEFT_OUT = /\.csv$|\/networks$|^\/public\/v1\/purchase-intents/

const db = new pg.Client({ connectionString: settings.owner })
afterAll(() => db.end())

// What functions run is in the figures of the statement that calls them.
const OF_HERE = 'dbid = (SELECT oid FROM pg_database WHERE datname = current_database()) AND toplevel'
const READ = `sum(shared_blks_hit + shared_blks_read)::float8 AS read FROM pg_stat_statements WHERE ${OF_HERE} AND query !~ 'pg_stat_statements'`

async function buffers(): Promise<number> {
  const { rows } = await db.query<{ read: number | null }>(`SELECT ${READ}`)
  return rows[0]!.read ?? 0
}

/** The statement of a request that reads most. */
async function mostRead(url: string, key: string): Promise<string> {
  await db.query(
    `SELECT pg_stat_statements_reset(0, (SELECT oid FROM pg_database WHERE datname = current_database()), 0)`,
  )
  await call('GET', url, { key })
  const { rows } = await db.query<{ read: number; query: string }>(
    `SELECT query, ${READ} GROUP BY query ORDER BY 2 DESC LIMIT 1`,
  )
  return rows[0] ? `${rows[0].read} of ${rows[0].query.replace(/\s+/g, ' ').slice(0, 300)}` : ''
}

async function measure(name: string, url: string, key: string): Promise<Figure & { cursor: string | null }> {
  const times: number[] = []
  const spent: number[] = []
  let answer = await call('GET', url, { key })
  const before = await buffers()
  const pids = await backends(db)
  for (let round = 0; round < settings.rounds; round++) {
    const [began, started] = [processorTimes(pids), performance.now()]
    answer = await call('GET', url, { key })
    times.push(performance.now() - started)
    spent.push(spentBetween(began, processorTimes(pids)))
  }
  const read = ((await buffers()) - before) / settings.rounds
  const cursor = (answer.body as { cursor?: string | null } | null)?.cursor ?? null
  const [ms, cpuMs] = [median(times), Math.min(...spent)].map((value) => Math.round(value * 10) / 10) as [
    number,
    number,
  ]
  return { name, url, status: answer.status, ms, cpuMs, buffers: Math.round(read), cursor }
}

async function measureAll({ name, url, isList }: Asked, key: string): Promise<Figure[]> {
  const first = await measure(name, url, key)
  if (!isList || !first.cursor) return [first]
  const pages = [first, await measure(`${name}, second page`, `${url}&cursor=${first.cursor}`, key)]
  const middle = await middleOf(url, first.cursor, key)
  return middle ? [...pages, await measure(`${name}, middle`, `${url}&cursor=${middle}`, key)] : pages
}

/** A cursor between the first pages of both orders; null where they meet. */
async function middleOf(url: string, first: string, key: string): Promise<string | null> {
  const back = url.replace(
    /order_direction=(ASC|DESC)/,
    (_, order) => `order_direction=${order === 'ASC' ? 'DESC' : 'ASC'}`,
  )
  const last = (await call('GET', back, { key })).body as { cursor?: string | null }
  await call('GET', url, { key }) // the list whose cursor is made
  return last.cursor ? middleCursor(first, last.cursor) : null
}

/** An organization, its values, and a key of it. */
async function readOrganization(order: 'ASC' | 'DESC') {
  const { rows } = await db.query<{ id: string; memberId: string }>(
    `SELECT o.organization_id AS id, m.id AS "memberId" FROM (
       SELECT organization_id FROM items GROUP BY 1 HAVING count(*) > 20 ORDER BY count(*) ${order}, 1 LIMIT 1) o JOIN members m USING (organization_id) LIMIT 1`,
  )
  return { values: await readValues(db, rows[0]!.id), key: (await makeKey(rows[0]!)).key }
}

const isWanted = ({ method, path, stream }: Endpoint): boolean =>
  method === 'GET' &&
  !stream &&
  !LEFT_OUT.test(path) &&
  path.includes(settings.only) &&
  !(settings.without && path.includes(settings.without))

const named = (asked: Asked[] | null): Asked[] => (asked ?? []).filter(({ name }) => name.includes(settings.named))

/** For each endpoint the request that took longest and the one that read most. */
function slowestOf(figures: Figure[]): string[] {
  const byPath = Map.groupBy(figures, ({ name }) => name.split(' ', 1)[0]!)
  return [...byPath].map(([path, all]) => {
    const [slowest, most] = (['cpuMs', 'buffers'] as const).map((what) => all.toSorted((a, b) => b[what] - a[what])[0]!)
    return `${path}: ${all.length} requests, most ${slowest!.cpuMs} ms (${slowest!.name}), ${most!.buffers} buffers (${most!.name})`
  })
}

test.runIf(settings.owner)(
  'every GET is measured on the big database',
  async () => {
    installFakeChain()
    await db.connect()
    await db.query('CREATE EXTENSION IF NOT EXISTS pg_stat_statements')
    const [big, small] = [await readOrganization('DESC'), await readOrganization('ASC')]
    const figures: (Figure & { small?: Figure | undefined })[] = []
    const missing: string[] = []
    for (const endpoint of endpoints.filter(isWanted)) {
      const asked = requestsOf(endpoint, big.values, settings.pairs)
      if (!asked) missing.push(endpoint.path)
      const beside = new Map<string, Figure>()
      for (const one of named(requestsOf(endpoint, small.values, settings.pairs)))
        for (const figure of await measureAll(one, small.key)) beside.set(figure.name, figure)
      for (const one of named(asked))
        for (const figure of await measureAll(one, big.key)) figures.push({ ...figure, small: beside.get(figure.name) })
    }
    if (settings.file) fs.writeFileSync(settings.file, JSON.stringify(figures, null, 1))
    const above = figures
      .filter(
        ({ name, ms, cpuMs, buffers }) =>
          buffers > BOUND_BUFFERS || Math.min(ms, cpuMs) > (FIGURES.test(name) ? BOUND_FIGURES_MS : settings.boundMs),
      )
      .sort((a, b) => b.buffers - a.buffers)
    const lines: string[] = []
    for (const { name, ms, cpuMs, buffers, status, url, small: beside } of above) {
      const other = beside ? ` (small: ${beside.buffers}, ${beside.cpuMs} ms)` : ''
      lines.push(
        `${buffers} buffers, ${cpuMs} ms of ${ms}, ${status}: ${name}${other}`,
        `    ${await mostRead(url, big.key)}`,
      )
    }
    for (const { name, cpuMs, buffers } of figures.flatMap(({ small }) => small ?? []))
      if (buffers > BOUND_BUFFERS / 2) lines.push(`small: ${buffers} buffers, ${cpuMs} ms: ${name}`)
    const refused = figures.filter(({ status }) => status !== 200).map(({ name, status }) => `${status} ${name}`)
    lines.push(
      `Not answered with 200: ${[...new Set(refused)].join('; ') || 'none'}`,
      `No value for the path: ${missing.join(', ') || 'none'}`,
      `${figures.length} requests, ${above.length} above ${BOUND_BUFFERS} buffers or ${settings.boundMs} ms (figures: ${BOUND_FIGURES_MS})`,
    )
    if (settings.beside)
      lines.push(...ratiosOf(figures, JSON.parse(fs.readFileSync(settings.beside, 'utf8')) as Figure[]))
    console.log([...slowestOf(figures), ...lines].join('\n'))
    expect(figures.filter(({ status }) => status >= 500)).toEqual([])
  },
  7_200_000,
)
