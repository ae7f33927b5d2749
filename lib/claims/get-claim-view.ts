import type { Context } from '../auth/context.ts'
import { linkOf } from './current-claim.ts'
import { readClaim } from './read-claim.ts'
import { claimViewOf } from './show-claim.ts'

/** What a link redeems, and how far that is. Reading changes nothing: mail scanners open every link. */
export async function getClaimView(ctx: Context) {
  const { id, generation } = linkOf(ctx)
  return claimViewOf(ctx, await readClaim(ctx, id), generation)
}
