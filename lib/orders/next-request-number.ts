import { type Context, inTransaction } from '../platform/auth/context.ts'
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
 * collection's row for the rest of the transaction, which is one of its own where none is open; take holds before.
 * Throws `not_found`.
 */
export const nextRequestNumber = (ctx: Context, collectionId: string): Promise<bigint> =>
  inTransaction(ctx, async (tx) => {
    const [row] = await tx.rows<{ first: bigint }>(TAKE_REQUEST_NUMBERS, collectionId, 1)
    if (!row) throw notFound()
    return row.first
  })
