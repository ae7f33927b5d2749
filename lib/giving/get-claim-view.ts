import { withoutIdempotentResult, type Context, inTransaction } from '../platform/auth/context.ts'
import { linkOf } from './current-claim.ts'
import { readClaim } from './read-claim.ts'
import { claimViewOf } from './show-claim.ts'

/** What a link redeems, and how far the delivery is. Reading changes nothing: mail scanners open every link. */
export function getClaimView(ctx: Context) {
  const { id, generation } = linkOf(ctx)
  return inTransaction(withoutIdempotentResult(ctx), async (tx) => claimViewOf(tx, await readClaim(tx, id), generation))
}
