import pg from 'pg'
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest'
import releasesByMigration from '../../prisma/releases.json' with { type: 'json' }
import { MIGRATIONS, readMigrations } from '../../lib/db/migrations.ts'
import { type PlannedMigration, planUpgrade } from '../../lib/db/plan-upgrade.ts'
import { readUpgradeState, type UpgradeState } from '../../lib/db/upgrade-state.ts'
import { columnsOf, releases, restoreRelease, rowsOf } from '../support/release-fixtures.ts'

type Facts = {
  organizations: { id: string; api_key: string }[]
  links: Record<string, string>
  pin: string
}

/** Tables of which an upgrade from a release writes rows anew, and why. */
const WRITTEN_ANEW: Record<string, Record<string, string>> = {
  '0.1.0': {
    'public.listing_buyers': 'Counts of open purchases are no longer stored.',
    'public.sessions': 'A token is stored by its hash.',
  },
}

test('a released migration never changes, and every release keeps its rows', () => {
  expect(releases.map((each) => ({ version: each.release, migration: Object.keys(each.migrations).at(-1) }))).toEqual(
    releasesByMigration,
  )
  const today = new Map(readMigrations(MIGRATIONS).map(({ name, checksum }) => [name, checksum]))
  for (const { migrations } of releases)
    for (const [name, checksum] of Object.entries(migrations)) expect([name, today.get(name)]).toEqual([name, checksum])
})

describe.each(releases.map((manifest) => [manifest.release, manifest] as const))(
  'from release %s',
  (release, manifest) => {
    const facts = manifest.facts as Facts
    const before = { ...process.env }
    let restored: Awaited<ReturnType<typeof restoreRelease>>
    let client: pg.Client
    let state: UpgradeState
    let planned: PlannedMigration[]

    beforeAll(async () => {
      restored = await restoreRelease(manifest)
      Object.assign(process.env, { ...manifest.settings, DATABASE_URL: restored.runtime })
      vi.resetModules() // the files of lib/ read the settings when they are loaded
      const { migrate } = await import('../../lib/db/migrate.ts')
      const { installLogins } = await import('../../lib/db/install-logins.ts')
      state = await readUpgradeState(restored.owner, releasesByMigration)
      planned = await planUpgrade(restored.owner)
      await migrate(restored.owner)
      await installLogins(restored.owner, restored.runtime)
      client = new pg.Client({ connectionString: restored.admin })
      await client.connect()
      const { moveClock } = await import('../../lib/core/clock.ts')
      moveClock(Date.parse(manifest.made_at) + 60_000 - Date.now())
    })
    afterAll(async () => {
      await client.end()
      await (await import('../../lib/db/client.ts')).disconnect()
      await restored.drop()
      Object.assign(process.env, before)
      vi.resetModules()
    })

    const texts = async (sql: string): Promise<string[]> =>
      (await client.query<{ text: string }>(sql)).rows.map(({ text }) => text)

    test('the state names the release and what is missing', async () => {
      const missing = readMigrations()
        .map(({ name }) => name)
        .filter((name) => !(name in manifest.migrations))
      expect(state).toMatchObject({ release, applied: Object.keys(manifest.migrations), unknown: [], workers: [] })
      expect(state.pending.map(({ name }) => name)).toEqual(missing)
      const { pending, applied } = await readUpgradeState(restored.owner, releasesByMigration)
      expect([pending.length, applied.length]).toEqual([0, readMigrations().length])
    })

    test('the plan has each missing migration with its statements and locks, and leaves nothing behind', async () => {
      expect(planned.map(({ name }) => name)).toEqual(state.pending.map(({ name }) => name))
      const locks = planned.flatMap(({ statements }) => statements.flatMap((each) => each.locks))
      for (const { blocks } of locks) expect(blocks).toMatch(/wait/)
      const isTable = `relkind IN ('r', 'p') AND relnamespace = 'public'::regnamespace`
      const tables = await texts(`SELECT relname AS text FROM pg_class WHERE ${isTable}`)
      expect(locks.filter(({ table }) => !tables.includes(table))).toEqual([])
      if (release === '0.1.0') {
        const statement = planned[0]!.statements.find(({ sql }) =>
          sql.startsWith('ALTER TABLE chain_cursors ADD COLUMN'),
        )!
        expect(statement.locks).toMatchObject([
          { table: 'chain_cursors', mode: 'AccessExclusiveLock', blocks: 'reads and writes wait' },
        ])
        const indexed = planned.flatMap(({ statements }) => statements).find(({ sql }) => / ON holds /.test(sql))!
        expect(indexed.locks).toMatchObject([{ table: 'holds', mode: 'ShareLock', blocks: 'writes wait' }])
      }
      expect(
        await texts(`SELECT datname AS text FROM pg_database WHERE datname LIKE current_database() || '\\_plan%'`),
      ).toEqual([])
      expect(await planUpgrade(restored.owner)).toEqual([])
    })

    test('a database that has the name of the plan’s and is no plan’s stays', async () => {
      const name = `${new URL(restored.owner).pathname.slice(1)}_plan`
      const last = readMigrations().at(-1)!
      await client.query('DELETE FROM _prisma_migrations WHERE migration_name = $1', [last.name])
      await client.query(`CREATE DATABASE ${name}`)
      await expect(planUpgrade(restored.owner)).rejects.toThrow(`There is a database ${name} already`)
      await client.query(`DROP DATABASE ${name}`)
      await client.query(
        `INSERT INTO _prisma_migrations (id, checksum, migration_name, finished_at) VALUES ('again', $1, $2, now())`,
        [last.checksum, last.name],
      )
    })

    test('every row is there, as it was', async () => {
      for (const [table, rows] of rowsOf(release)) {
        if (table in (WRITTEN_ANEW[release] ?? {})) continue
        const now = await texts(
          `SELECT row_to_json(r)::text AS text FROM (SELECT ${columnsOf(rows[0]!)} FROM ${table}) r ORDER BY 1`,
        )
        expect([table, now.length]).toEqual([table, rows.length])
        expect(now, table).toEqual(rows.toSorted())
      }
    })

    test('every constraint holds for the old rows', async () => {
      const constraints = await texts(
        `SELECT format('ALTER TABLE %s VALIDATE CONSTRAINT %I', conrelid::regclass, conname) AS text FROM pg_constraint
       WHERE contype IN ('c', 'f') AND connamespace = 'public'::regnamespace AND conrelid <> 0`,
      )
      expect(constraints.length).toBeGreaterThan(50)
      await client.query('BEGIN')
      await client.query(
        `UPDATE pg_constraint SET convalidated = false WHERE contype IN ('c', 'f') AND connamespace = 'public'::regnamespace`,
      )
      for (const statement of constraints) await client.query(statement)
      await client.query('ROLLBACK')
    })

    test('verification finds no disagreement in the upgraded records', async () => {
      const { verifyRecords } = await import('../../lib/data/reconciliation/verify-records.ts')
      const { systemContext } = await import('../../lib/platform/auth/authenticate.ts')
      expect(await verifyRecords(systemContext('test'))).toEqual([])
    })

    if (release === '0.1.0')
      test('what old processes wrote after the migration is settled, also twice', async () => {
        const { verifyRecords } = await import('../../lib/data/reconciliation/verify-records.ts')
        const { systemContext } = await import('../../lib/platform/auth/authenticate.ts')
        const { settleUpgrade } = await import('../../lib/db/migrate.ts')
        const counts = `SELECT concat_ws(' ', listing_id, kind, identity, quantity) AS text FROM listing_buyers WHERE quantity > 0 ORDER BY 1`
        const counted = await texts(counts)
        const holders = `SELECT concat_ws(' ', id, holder_count) AS text FROM snapshots WHERE ready_at IS NOT NULL ORDER BY 1`
        const held = await texts(holders)
        expect(held).toEqual([expect.stringMatching(/^\S+ \d+$/)])
        await client.query(`
      UPDATE snapshots SET holder_count = NULL;
      UPDATE payments SET refunded_minor = 0;
      UPDATE purchase_intents SET refunded_quantity = 0, buyer_mailbox = NULL, client_network = NULL;
      UPDATE item_history SET voucher_id = NULL;
      DELETE FROM listing_buyers;
      INSERT INTO listing_buyers (organization_id, listing_id, kind, identity, quantity)
        SELECT organization_id, listing_id, 'EMAIL', lower(buyer_email), sum(quantity) FROM purchase_intents
        WHERE buyer_email IS NOT NULL GROUP BY 1, 2, 4`)
        expect((await verifyRecords(systemContext('test'))).length).toBeGreaterThan(4)
        for (const _twice of [1, 2]) {
          expect(await settleUpgrade(restored.owner)).toContain('0.1.0.sql')
          expect(await verifyRecords(systemContext('test'))).toEqual([])
          expect(await texts(counts)).toEqual(counted)
          expect(await texts(holders)).toEqual(held)
          expect(
            await texts(
              `SELECT id::text AS text FROM purchase_intents WHERE buyer_email IS NOT NULL AND buyer_mailbox IS NULL`,
            ),
          ).toEqual([])
        }
      })

    test('every mint by a voucher names its voucher, so that a reorg undoes both', async () => {
      const redeemed = await texts(`SELECT id::text AS text FROM vouchers WHERE state = 'REDEEMED' ORDER BY 1`)
      expect(redeemed.length).toBeGreaterThan(0)
      expect(
        await texts(`SELECT voucher_id::text AS text FROM item_history WHERE voucher_id IS NOT NULL ORDER BY 1`),
      ).toEqual(redeemed)
    })

    test('purchases of before count for the limits of their buyers', async () => {
      const counted = await texts(
        `SELECT concat_ws(' ', listing_id, kind, identity, quantity) AS text FROM listing_buyers WHERE quantity > 0 ORDER BY 1`,
      )
      expect(counted.some((line) => line.includes(' EMAIL plussign@gmail.com 2'))).toBe(true)
      expect(counted).toEqual(
        await texts(
          `SELECT concat_ws(' ', listing_id, kind, identity, sum(quantity)) AS text FROM purchase_intents,
           LATERAL (VALUES ('EMAIL', buyer_mailbox), ('ADDRESS', buyer_address)) who(kind, identity)
         WHERE units_state = 'CONFIRMED' AND identity IS NOT NULL GROUP BY listing_id, kind, identity ORDER BY 1`,
        ),
      )
      expect(
        await texts(
          `SELECT DISTINCT (refunded_quantity = quantity)::text AS text FROM purchase_intents WHERE status = 'REFUNDED'`,
        ),
      ).toEqual(['true'])
    })

    test('an old key reads everything of its organization, and nothing of another', async () => {
      const { callerOf } = await import('../support/call.ts')
      const { endpoints } = await import('../../lib/platform/api/index.ts')
      const gets = endpoints.filter(({ method, auth }) => method === 'GET' && auth === 'api_key')
      expect(gets.length).toBeGreaterThan(40)
      const failures: string[] = []
      for (const { id: organizationId, api_key } of facts.organizations) {
        const api = callerOf(api_key)
        const ask = async (url: string, wanted: number) => {
          const { status, body } = await api.get(url)
          if (status !== wanted) failures.push(`${url}: ${status} ${JSON.stringify(body)}`)
        }
        for (const { path } of gets) {
          const name = /\{(\w+)\}/.exec(path)?.[1]
          if (name === undefined) await ask(path === '/v1/search' ? `${path}?q=night` : path, 200)
          else
            for (const { value, isOwn } of await valuesOf(path, organizationId))
              await ask(path.replace(`{${name}}`, value), isOwn ? 200 : 404)
        }
      }
      expect(failures).toEqual([])
    })

    test('a link and its PIN of before are redeemed, and its wrong tries still count', async () => {
      const { callerOf } = await import('../support/call.ts')
      const { installFakeChain } = await import('../support/claims.ts')
      installFakeChain()
      const api = callerOf()
      const at = (kind: string) => `/public/v1/email-claims/${facts.links[kind]!.split('/').at(-1)}`
      const address = '0x3C44CdDdB6a900fa2b585dd299e03d12FA4293BC'
      const shown = async (kind: string) => (await api.get(at(kind))).body
      expect(await shown('open')).toMatchObject({ is_active: true, is_claimed: false })
      expect(await shown('expired')).toMatchObject({ is_active: false, inactive_reason: 'EXPIRED' })
      expect(await shown('revoked')).toMatchObject({ is_active: false, inactive_reason: 'REVOKED' })
      expect(await shown('delivered')).toMatchObject({ is_claimed: true, delivery: { state: 'CONFIRMED' } })
      expect((await shown('voucher')).voucher).toMatchObject({ signature: expect.stringMatching(/^0x/) })

      const wrong = facts.pin === '000000' ? '000001' : '000000'
      const refused = await api.post(`${at('pinned')}/redeem`, { address, pin: wrong })
      expect(refused.body).toMatchObject({ code: 'pin_wrong', tries_left: 3 })
      const redeemed = await api.post(`${at('pinned')}/redeem`, { address, pin: facts.pin })
      expect([redeemed.status, redeemed.body.status]).toEqual([201, 'CLAIMED'])
      expect((await api.post(`${at('open')}/verify`)).status).toBe(201)
    })

    test('each timer of the worker does its round, and no row fails', async () => {
      const { TIMERS } = await import('../../lib/worker/timers.ts')
      const { replacePorts } = await import('../../lib/ports/ports.ts')
      const { systemContext } = await import('../../lib/platform/auth/authenticate.ts')
      replacePorts({ chains: new Map() })
      for (const { run } of TIMERS) await run(systemContext('test'))
      expect(await texts(`SELECT concat_ws(' ', kind, row_id, last_error) AS text FROM row_tries`)).toEqual([])
      // A worker of the release was ended while it did this one.
      if (release === '0.1.0')
        expect(await texts(`SELECT concat_ws(' ', name, tries) AS text FROM jobs`)).toEqual(['send-mail 1'])
    })

    /** Values of a path's parameter: at most two of the organization and one of another. */
    async function valuesOf(path: string, organizationId: string): Promise<{ value: string; isOwn: boolean }[]> {
      if (path.includes('{template_type}')) return [{ value: 'REDEEM_NFT', isOwn: true }]
      const [column, from] = SOURCES[path.split('/')[2]!] ?? ['id', path.split('/')[2]!.replaceAll('-', '_')]
      const own = `${from === 'organizations' ? 'id' : 'organization_id'} = '${organizationId}'`
      const { rows } = await client.query<{ value: string; isOwn: boolean }>(
        `(SELECT ${column} AS value, true AS "isOwn" FROM ${from} WHERE ${own} ORDER BY 1 LIMIT 2)
       UNION ALL (SELECT ${column}, false FROM ${from} WHERE NOT ${own} LIMIT 1)`,
      )
      return rows
    }
  },
)

/** Where the ids in the paths of a resource are, unless in the table of its name. */
const SOURCES: Record<string, [column: string, from: string]> = {
  'mint-requests': ['transaction_id', 'mint_requests'],
  'marketing-campaigns': ['id', 'campaigns'],
  analytics: ['id', 'campaigns'],
  media: ['id', 'media_files'],
  'purchase-intents': ['id', 'purchase_intents'],
  'api-keys': ['id', '(SELECT * FROM api_keys WHERE revoked_at IS NULL) api_keys'],
}
