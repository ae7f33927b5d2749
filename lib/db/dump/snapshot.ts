import type pg from 'pg'
import { copyOut } from './copy.ts'
import { readApplied } from '../migrations.ts'
import { connectOwner } from './owner.ts'
import { copyOldJobsOut } from './jobs.ts'
import { asReaderOf, assertAllVisible, copyStatementOf, listTables, type Table } from './tables.ts'

export type Sequence = { name: string; value: string; called: boolean }

/** Everything that the database holds at one moment, read over one connection: one thing after the other. */
export type Snapshot = {
  takenAt: Date
  migrations: { name: string; checksum: string }[]
  networks: { id: number; block: string }[]
  tables: Table[]
  /** Rows in COPY's text format, whole ones, each with its line feed. */
  rowsOf(table: Table): AsyncGenerator<Buffer>
  /** Jobs that an earlier release left. */
  oldJobs(): AsyncGenerator<Buffer>
  /** A line for each stored file: its CID and its size in bytes. */
  mediaFiles(): AsyncGenerator<Buffer>
  /** Their values aren't part of a snapshot: read after the rows, they are at least as high. */
  sequences(): Promise<Sequence[]>
}

/** Opens a snapshot for as long as `work` takes. Throws an Error when the database isn't one of Vitrine's. */
export async function* inSnapshot<T>(
  databaseUrl: string,
  work: (snapshot: Snapshot) => AsyncGenerator<T>,
): AsyncGenerator<T> {
  const client = await connectOwner(databaseUrl, 'vitrine-backup')
  try {
    await client.query('BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY')
    const applied = [...(await readApplied(client))].map(([name, checksum]) => ({ name, checksum }))
    const migrations = applied.sort((a, b) => (a.name < b.name ? -1 : 1))
    if (migrations.length === 0) throw new Error('This database has no tables of Vitrine: npm run migrate makes them.')
    await assertAllVisible(client)
    const { rows } = await client.query<{ at: Date }>('SELECT now() AS at')
    const networks = await client.query<{ id: number; block: string }>(
      'SELECT network_id AS id, number::text AS block FROM chain_cursors ORDER BY network_id',
    )
    yield* work({
      takenAt: rows[0]!.at,
      migrations,
      networks: networks.rows,
      tables: await listTables(client),
      async *rowsOf(table) {
        await asReaderOf(client, table)
        yield* copyOut(client, copyStatementOf(table))
      },
      async *oldJobs() {
        await asReaderOf(client, { forced: false })
        yield* copyOldJobsOut(client)
      },
      async *mediaFiles() {
        await asReaderOf(client, { forced: true })
        yield* copyOut(
          client,
          // Earlier releases have no kind.
          `COPY (SELECT stem, max(bytes)
            FROM (SELECT concat_ws('-', cid, to_jsonb(m)->>'kind') COLLATE "C" AS stem, bytes FROM media_files m) f
            GROUP BY stem ORDER BY stem) TO STDOUT`,
        )
      },
      sequences: () => readSequences(client),
    })
  } finally {
    await client.end()
  }
}

async function readSequences(client: pg.Client): Promise<Sequence[]> {
  await asReaderOf(client, { forced: false })
  const { rows: names } = await client.query<{ name: string }>(
    `SELECT quote_ident(relname) AS name FROM pg_class
     WHERE relkind = 'S' AND relnamespace = 'public'::regnamespace ORDER BY relname COLLATE "C"`,
  )
  const sequences: Sequence[] = []
  for (const { name } of names) {
    const { rows } = await client.query<Omit<Sequence, 'name'>>(
      `SELECT last_value::text AS value, is_called AS called FROM public.${name}`,
    )
    sequences.push({ name, ...rows[0]! })
  }
  return sequences
}
