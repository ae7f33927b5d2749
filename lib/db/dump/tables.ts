import type pg from 'pg'

/** `name`, `columns`: quoted where SQL needs it. `forced`: row-level security holds for the owner too. */
export type Table = { name: string; columns: string[]; forced: boolean }

/** Of the migrations there is a list of its own; which processes run now is nothing to put back. */
export const LEFT_OUT = ['_prisma_migrations', 'workers', 'process_clocks']

/** Every table of ours with the columns that aren't computed, by name. */
export async function listTables(client: pg.Client): Promise<Table[]> {
  const { rows } = await client.query<Table>(
    `SELECT quote_ident(c.relname) AS name, c.relforcerowsecurity AS forced,
       array_agg(quote_ident(a.attname) ORDER BY a.attnum) FILTER (WHERE a.attgenerated = '') AS columns
     FROM pg_class c JOIN pg_attribute a ON a.attrelid = c.oid AND a.attnum > 0 AND NOT a.attisdropped
     WHERE c.relnamespace = 'public'::regnamespace AND c.relkind IN ('r', 'p') AND NOT c.relispartition
       AND c.relname <> ALL ($1)
     GROUP BY c.oid, c.relname, c.relforcerowsecurity ORDER BY c.relname COLLATE "C"`,
    [LEFT_OUT],
  )
  return rows
}

/**
 * Takes the role that sees all rows of a table, for the rest of the transaction or until the next call. Forced
 * row-level security hides rows from the owner of the table too; the policy of `vitrine_system` shows all of them.
 */
export const asReaderOf = async (client: pg.Client, { forced }: Pick<Table, 'forced'>): Promise<void> =>
  void (await client.query(forced ? 'SET LOCAL ROLE vitrine_system' : 'RESET ROLE'))

/** Throws an Error unless a policy shows `vitrine_system` all rows of every table with forced row-level security. */
export async function assertAllVisible(client: pg.Client): Promise<void> {
  const { rows } = await client.query<{ name: string }>(
    `SELECT c.relname AS name FROM pg_class c
     WHERE c.relnamespace = 'public'::regnamespace AND c.relforcerowsecurity AND NOT EXISTS (
       SELECT 1 FROM pg_policies p WHERE p.schemaname = 'public' AND p.tablename = c.relname AND p.qual = 'true'
         AND p.permissive = 'PERMISSIVE' AND p.cmd IN ('ALL', 'SELECT') AND 'vitrine_system' = ANY (p.roles))`,
  )
  if (rows.length > 0)
    throw new Error(`No role sees all rows of ${rows.map(({ name }) => name).join(', ')}, so they can't be copied.`)
}

export const copyStatementOf = ({ name, columns }: Pick<Table, 'name' | 'columns'>): string =>
  `COPY (SELECT ${columns.join(', ')} FROM public.${name}) TO STDOUT`
