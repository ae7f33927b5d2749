import { glob } from 'node:fs/promises'
import path from 'node:path'
import pg from 'pg'
import { afterAll, expect, test, vi } from 'vitest'

/**
 * npm run bench:dashboard: every page of the dashboard with every filter, asked by an owner, on a database that `npm
 * run seed:big` has filled; beside it the same of its smallest organization. BIG_DATABASE_URL and
 * BIG_MIGRATE_DATABASE_URL name the database, in which sessions are made. ONLY (a part of what is printed) narrows it.
 * A page runs in this process, without Next: its layout and all of its components on the server. Prints what is above
 * the bounds of buffers, round trips and processor time, and the statement that read most. The file that OUT names gets
 * a line of JSON for each page.
 */
const settings = vi.hoisted(() => {
  const { BIG_DATABASE_URL, BIG_MIGRATE_DATABASE_URL, ONLY = '', OUT } = process.env
  if (BIG_DATABASE_URL && BIG_MIGRATE_DATABASE_URL)
    Object.assign(process.env, { DATABASE_URL: BIG_DATABASE_URL, MIGRATE_DATABASE_URL: BIG_MIGRATE_DATABASE_URL })
  return { owner: BIG_MIGRATE_DATABASE_URL, only: ONLY, out: OUT }
})

import fs from 'node:fs'
import { installFakeChain } from '../support/claims.ts'
import { countRoundTrips } from '../support/count-round-trips.ts'
import { renderPage } from '../support/render-page.ts'
import { makeSession } from '../support/sessions.ts'
import { readVisits, type Visit } from './dashboard/visits.ts'

const ROOT = path.resolve(import.meta.dirname, '../..')
const BOUND_BUFFERS = 3_000
const BOUND_ROUND_TRIPS = 8
/** Of this process, in milliseconds. */
const BOUND_PROCESSOR = 50
const ROUNDS = 3

const db = new pg.Client({ connectionString: settings.owner })
afterAll(() => db.end())

const OF_HERE = 'dbid = (SELECT oid FROM pg_database WHERE datname = current_database())'
const READ = `sum(shared_blks_hit + shared_blks_read)::float8 AS read FROM pg_stat_statements WHERE ${OF_HERE} AND query !~ 'pg_stat_statements'`
const RESET = `SELECT pg_stat_statements_reset(0, (SELECT oid FROM pg_database WHERE datname = current_database()), 0)`

type Person = { organizationId: string; session: string }
type Figure = {
  name: string
  /** Round trips and statements; pages of PostgreSQL and milliseconds of it; milliseconds of this process. */
  roundTrips: number
  statements: number
  buffers: number
  database: number
  processor: number
  mostRead: string
  /** Why the page can't be shown. */
  refused?: string
  next?: string | undefined
}

const load = async (file: string): Promise<unknown> =>
  ((await import(path.join(ROOT, file))) as { default: unknown }).default

async function visit({ file, params, query }: Visit, { organizationId, session }: Person) {
  const files = { layouts: [await load('app/dashboard/layout.tsx')], page: await load(file) }
  return countRoundTrips(() => renderPage(files, { session, organizationId, params, query }))
}

async function measure(asked: Visit, person: Person): Promise<Figure> {
  await visit(asked, person).catch(() => undefined) // a connection parses its statements once
  await db.query(RESET)
  const costs: number[] = []
  let counted: Awaited<ReturnType<typeof visit>> = { result: '', roundTrips: [], statements: 0 }
  let refused: string | undefined
  for (let round = 0; round < ROUNDS; round++) {
    const before = process.cpuUsage()
    try {
      counted = await visit(asked, person)
    } catch (error) {
      refused = String(error)
    }
    const { user, system } = process.cpuUsage(before)
    costs.push((user + system) / 1000)
  }
  const { rows } = await db.query<{ read: number; ms: number; query: string }>(
    `SELECT query, sum(total_exec_time)::float8 AS ms, ${READ} GROUP BY query ORDER BY read DESC`,
  )
  const sum = (of: (row: (typeof rows)[number]) => number) => rows.reduce((all, row) => all + of(row), 0) / ROUNDS
  const [most] = rows
  const next = /[?&]cursor=([\w-]+)/.exec(counted.result)?.[1]
  const figure: Figure = {
    name: asked.name,
    roundTrips: counted.roundTrips.length,
    statements: counted.statements,
    buffers: Math.round(sum(({ read }) => read)),
    database: Math.round(sum(({ ms }) => ms)),
    processor: Math.round(Math.min(...costs)),
    mostRead: most ? `${Math.round(most.read / ROUNDS)} of ${most.query.replace(/\s+/g, ' ').slice(0, 400)}` : '',
    ...(refused !== undefined && { refused }),
    next,
  }
  if (settings.out) fs.appendFileSync(settings.out, `${JSON.stringify(figure)}\n`)
  return figure
}

/** An owner of the organization with the most items, or the fewest, and all visits of it. */
async function readPerson(order: 'ASC' | 'DESC', files: readonly string[]) {
  const { rows } = await db.query<{ id: string; userId: string }>(
    `SELECT o.organization_id AS id, m.user_id AS "userId" FROM (
       SELECT organization_id FROM items GROUP BY 1 HAVING count(*) > 20 ORDER BY count(*) ${order}, 1 LIMIT 1) o
     JOIN members m USING (organization_id) LIMIT 1`,
  )
  const { id: organizationId, userId } = rows[0]!
  return { organizationId, session: await makeSession(userId), ...(await readVisits(db, files, organizationId)) }
}

test.runIf(settings.owner)(
  'every page of the dashboard is measured on the big database',
  async () => {
    installFakeChain()
    vi.spyOn(console, 'error').mockReturnValue() // React complains of each component of the browser.
    await db.connect()
    await db.query('CREATE EXTENSION IF NOT EXISTS pg_stat_statements')
    const files = (await Array.fromAsync(glob('app/dashboard/**/page.tsx', { cwd: ROOT }))).toSorted()
    const [big, small] = [await readPerson('DESC', files), await readPerson('ASC', files)]
    const wanted = (visits: Visit[]) => visits.filter(({ name }) => name.includes(settings.only))
    const beside = new Map<string, Figure>()
    for (const asked of wanted(small.visits)) beside.set(asked.name, await measure(asked, small))
    const figures: (Figure & { small?: Figure | undefined })[] = []
    for (const asked of wanted(big.visits)) {
      const figure = await measure(asked, big)
      figures.push({ ...figure, small: beside.get(asked.name) })
      if (!figure.next || asked.query.cursor) continue
      const second = { ...asked, name: `${asked.name}, second page`, query: { ...asked.query, cursor: figure.next } }
      figures.push(await measure(second, big))
    }
    const above = figures
      .filter(
        ({ buffers, roundTrips, processor }) =>
          buffers > BOUND_BUFFERS || roundTrips > BOUND_ROUND_TRIPS || processor > BOUND_PROCESSOR,
      )
      .toSorted((a, b) => b.buffers - a.buffers)
    const lines = above.flatMap(({ name, buffers, roundTrips, statements, database, processor, mostRead, ...rest }) => [
      `${buffers} buffers (small: ${rest.small?.buffers ?? '–'}), ${roundTrips} round trips with ${statements} statements, ${database} ms of PostgreSQL, ${processor} ms here: ${name}`,
      `    ${mostRead}`,
    ])
    const refused = figures.filter((figure) => figure.refused)
    lines.push(
      ...refused.map(({ name, refused: why }) => `Not shown: ${name}: ${why?.slice(0, 200)}`),
      `No rows for: ${big.missing.join(', ') || 'none'}`,
      `${figures.length} visits, ${above.length} above ${BOUND_BUFFERS} buffers, ${BOUND_ROUND_TRIPS} round trips or ${BOUND_PROCESSOR} ms here`,
    )
    console.log(lines.join('\n'))
    expect(figures.length).toBeGreaterThan(0)
  },
  3_600_000,
)
