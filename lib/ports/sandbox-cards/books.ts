import { now } from '../../core/clock.ts'
import { env } from '../../core/env.ts'
import { type Db, sandboxBooks } from '../../db/scope.ts'

/** Where the built-in card provider writes, what time it is there, and where people reach its pages. */
export type Books = {
  db: Db
  transaction: <T>(work: (books: Books) => Promise<T>) => Promise<T>
  now: () => Date
  origin: string
}

export function openBooks(): Books {
  const { db, transaction } = sandboxBooks()
  const around = { now, origin: env.ORIGIN }
  const books: Books = {
    ...around,
    db,
    transaction: (work) =>
      transaction((reach) =>
        work({ ...around, db: reach.db, transaction: (inner) => inner({ ...books, db: reach.db }) }),
      ),
  }
  return books
}
