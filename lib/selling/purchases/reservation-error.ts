import type { Context } from '../../platform/auth/context.ts'
import { isUniqueViolation } from '../../db/errors.ts'
import { stockError } from '../../stock/hold-units.ts'
import { proofRequired } from './proof.ts'
import { type ClientsOf, readClient } from './read-clients.ts'

/**
 * The error that a buyer gets for the database's refusal of a purchase. Any other error is returned as it is. Call it
 * after the transaction.
 */
export async function reservationError(ctx: Context, listing: ClientsOf, error: unknown): Promise<unknown> {
  if (!isUniqueViolation(error, 'proof_hash')) return stockError(error)
  const client = await readClient(ctx, listing)
  return proofRequired(ctx, listing.id, client, 'This challenge was used before: each is good for one purchase.')
}
