import { now } from '../../core/clock.ts'
import { env } from '../../core/env.ts'
import { modelsScope } from '../../db/narrow-scopes.ts'
import type { Db } from '../../db/scope.ts'

const MODELS = ['sandboxAccount', 'sandboxPaymentIntent', 'sandboxRefund', 'sandboxEvent'] as const

/**
 * The sandbox provider's own tables, its clock, and the origins of its pages and of the buyers'. It sees no other
 * table.
 */
export type SandboxStore = {
  db: Pick<Db, (typeof MODELS)[number]>
  transaction: <T>(work: (store: SandboxStore) => Promise<T>) => Promise<T>
  now: () => Date
  origin: string
  buyersOrigin: string
}

export function openSandboxStore(): SandboxStore {
  const { db, transaction } = modelsScope(MODELS)
  const around = { now, origin: env.ORIGIN, buyersOrigin: env.CLAIM_ORIGIN || env.ORIGIN }
  const store: SandboxStore = {
    ...around,
    db,
    transaction: (work) =>
      transaction((reach) =>
        work({ ...around, db: reach.db, transaction: (inner) => inner({ ...store, db: reach.db }) }),
      ),
  }
  return store
}
