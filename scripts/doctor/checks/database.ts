import type pg from 'pg'
import { DatabaseClient } from '../../../lib/db/database-client.ts'
import { loginUrl } from '../../../lib/db/logins.ts'
import { databaseFaultOf, FAULT_WORDS } from '../../../lib/db/errors.ts'
import { readServerFacts } from '../../../lib/db/server-facts.ts'
import { type Check, type Finding, ok, type Subject, warning, wrong } from '../check.ts'
import { remedyFor } from '../remedy.ts'

const OLDEST_VERSION = 16
const FAR_BEHIND_BYTES = 64 * 2 ** 20

/** Whether web and worker reach their database, its version, and whether DATABASE_READ_URL is a replica of it. */
export const database: Check = {
  name: 'database',
  run: async (subject) => {
    const { DATABASE_URL, DATABASE_READ_URL } = subject.settings
    if (!DATABASE_URL) return [] // the settings say so
    return [await primaryFinding(subject), ...(DATABASE_READ_URL ? [await replicaFinding(subject)] : [])]
  },
}

async function primaryFinding(subject: Subject): Promise<Finding> {
  try {
    const { version } = await readServerFacts()
    if (version < OLDEST_VERSION)
      return wrong('DATABASE_URL', `PostgreSQL ${version} is too old.`, `Use PostgreSQL ${OLDEST_VERSION} or newer.`)
    const fault = await writeFault(subject)
    return fault ?? ok('DATABASE_URL', `PostgreSQL ${version} answers.`)
  } catch (error) {
    const remedy = 'See that it runs, that DATABASE_URL is right, and that npm run migrate was run.'
    const detail = `The database does not answer as web and worker would ask it: ${subject.quote(error)}`
    return wrong('DATABASE_URL', detail, remedyFor(error, remedy))
  }
}

/** A result of 14 MiB that has no room in memory: PostgreSQL writes it to its disk, and nothing of it stays. */
const SPILL = ['BEGIN', 'SET LOCAL work_mem = 64', 'SELECT count(*) FROM generate_series(1, 1000000)', 'ROLLBACK']

/** The finding that keeps the database from writing; null: it writes. */
async function writeFault({ settings, timeoutMs, quote }: Subject): Promise<Finding | null> {
  const name = 'DATABASE_URL'
  const ask = <Row>(...statements: string[]) =>
    askOnce<Row>(loginUrl(settings.DATABASE_URL, 'vitrine_system'), timeoutMs, ...statements)
  const { setting } = await ask<{ setting: string }>("SELECT current_setting('transaction_read_only') AS setting")
  if (setting === 'on') return wrong(name, `${FAULT_WORDS.read_only.what}.`, sentenceOf(FAULT_WORDS.read_only.toDo))
  try {
    await ask(...SPILL)
    return null
  } catch (error) {
    const fault = databaseFaultOf(error)
    if (fault !== 'disk') throw error
    return wrong(name, `${FAULT_WORDS.disk.what}: ${quote(error)}`, sentenceOf(FAULT_WORDS.disk.toDo))
  }
}

const sentenceOf = (words: string): string => words[0]!.toUpperCase() + words.slice(1)

/**
 * Public pages read there: from another database they would show something else, and from one far behind something old.
 */
async function replicaFinding({ settings, timeoutMs, quote }: Subject): Promise<Finding> {
  const name = 'DATABASE_READ_URL'
  try {
    const place = 'SELECT system_identifier::text AS id FROM pg_control_system()'
    const ask = async (url: string, role: 'vitrine_public' | 'vitrine_system', position: string) =>
      askOnce<Place>(loginUrl(url, role), timeoutMs, `SELECT (${place}), ${position} AS position`)
    const replica = await ask(settings.DATABASE_READ_URL, 'vitrine_public', 'pg_last_wal_replay_lsn()')
    const primary = await ask(settings.DATABASE_URL, 'vitrine_system', 'pg_current_wal_lsn()')
    if (replica.id !== primary.id)
      return wrong(
        name,
        'It is another database than DATABASE_URL.',
        'Name a physical replica of it, or leave it empty.',
      )
    if (replica.position === null) return ok(name, 'It is the primary itself.')
    const behind = bytesAt(primary.position!) - bytesAt(replica.position)
    return behind > FAR_BEHIND_BYTES
      ? warning(
          name,
          `The replica is ${Math.round(Number(behind) / 2 ** 20)} MiB behind.`,
          'See why it doesn’t follow.',
        )
      : ok(name, 'The replica follows.')
  } catch (error) {
    const remedy = remedyFor(error, 'See that the replica runs, and that it has the logins of DATABASE_URL.')
    return wrong(name, `The replica does not answer: ${quote(error)}`, remedy)
  }
}

type Place = { id: string; position: string | null }

/** The first row of the last statement. */
async function askOnce<Row>(connectionString: string, timeoutMs: number, ...statements: string[]): Promise<Row> {
  const client = new DatabaseClient({ connectionString, connectionTimeoutMillis: timeoutMs, query_timeout: timeoutMs })
  await client.connect()
  try {
    let rows: Row[] = []
    for (const statement of statements) rows = (await client.query<Row & pg.QueryResultRow>(statement)).rows
    return rows[0]!
  } finally {
    await client.end()
  }
}

/** A place in the WAL, such as 16/B374D848, in bytes. */
function bytesAt(position: string): bigint {
  const [high = '0', low = '0'] = position.split('/')
  return (BigInt(`0x${high}`) << 32n) + BigInt(`0x${low}`)
}
