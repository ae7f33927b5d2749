import pg from 'pg'

/** What went to PostgreSQL in one round trip: the text of its statement, or of several that were sent together. */
export type RoundTrip = string

const original = pg.Client.prototype.query as (this: pg.Client, ...args: unknown[]) => unknown
let counting: RoundTrip[] | null = null

pg.Client.prototype.query = function (this: pg.Client, ...args: unknown[]) {
  counting?.push(textOf(args[0]))
  return original.apply(this, args)
} as typeof pg.Client.prototype.query

/** A text, an object of `pg` with one, or statements that are sent together (lib/db/statements.ts). */
function textOf(query: unknown): string {
  if (typeof query === 'string') return query
  const { text, calls } = query as { text?: string; calls?: readonly { statement: { text: string } }[] }
  return calls?.map(({ statement }) => statement.text).join('; ') ?? text ?? ''
}

/**
 * Runs `work` and gives every round trip that this process made to PostgreSQL meanwhile, on whatever connection. Only one can be counted at
 * a time.
 */
export async function countRoundTrips<T>(work: () => Promise<T>): Promise<{ result: T; roundTrips: RoundTrip[] }> {
  if (counting) throw new Error('Round trips are being counted already.')
  const roundTrips: RoundTrip[] = (counting = [])
  try {
    return { result: await work(), roundTrips }
  } finally {
    counting = null
  }
}
