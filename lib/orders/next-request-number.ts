import type { Context } from '../platform/auth/context.ts'
import { notFound } from '../core/errors.ts'
import type { Statement } from '../db/statements.ts'

/** Takes many ($2) at once and gives the first of them. */
export const TAKE_REQUEST_NUMBERS: Statement = {
  name: 'take_request_numbers',
  text: `UPDATE collections SET next_request_id = next_request_id + $2::bigint WHERE id = $1::uuid
    RETURNING next_request_id - $2::bigint AS first`,
}

/**
 * The next number of a collection's sequence of request ids and voucher nonces: the contract takes each once. Locks the
 * collection's row for the rest of the transaction; take holds before.
 */
export async function nextRequestNumber(tx: Context, collectionId: string): Promise<bigint> {
  const [row] = await tx.rows<{ first: bigint }>(TAKE_REQUEST_NUMBERS, collectionId, 1)
  if (!row) throw notFound()
  return row.first
}
