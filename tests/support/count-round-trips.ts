import pg from 'pg'

/** What went to PostgreSQL in one round trip: the text of its statement, or of several that were sent together. */
type RoundTrip = string

const original = pg.Client.prototype.query as (this: pg.Client, ...args: unknown[]) => unknown
type Counted = { roundTrips: RoundTrip[]; statements: number }
let counting: Counted | null = null

pg.Client.prototype.query = function (this: pg.Client, ...args: unknown[]) {
  const texts = textsOf(args[0])
  counting?.roundTrips.push(texts.join('; '))
  if (counting) counting.statements += texts.length
  return original.apply(this, args)
} as typeof pg.Client.prototype.query

/** A text, an object of `pg` with one, or statements that are sent together (lib/db/statements.ts). */
function textsOf(query: unknown): string[] {
  if (typeof query === 'string') return [query]
  const { text, calls } = query as { text?: string; calls?: readonly { statement: { text: string } }[] }
  return calls?.map(({ statement }) => statement.text) ?? [text ?? '']
}

/**
 * Runs `work` and gives every round trip that this process made to PostgreSQL meanwhile, on whatever connection, and
 * how many statements these were. Only one can be counted at a time.
 */
export async function countRoundTrips<T>(work: () => Promise<T>): Promise<{ result: T } & Counted> {
  if (counting) throw new Error('Round trips are being counted already.')
  const counted: Counted = (counting = { roundTrips: [], statements: 0 })
  try {
    return { result: await work(), ...counted }
  } finally {
    counting = null
  }
}
