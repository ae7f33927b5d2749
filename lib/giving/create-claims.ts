import type { Context } from '../platform/auth/context.ts'
import { runIn } from '../db/organization-transaction.ts'
import { assertClaimable, type ClaimBody, wantedOf } from './assert-claimable.ts'
import { readClaimFacts } from './claim-facts.ts'
import { type IssuedClaim, issueClaims } from './issue-claim.ts'

/**
 * Creates many claims as `createClaim` does one, in one transaction: all or none. Throws for the first that isn't
 * possible.
 */
export async function createClaims(tx: Context, bodies: readonly ClaimBody[]): Promise<IssuedClaim[]> {
  if (bodies.length === 0) return []
  const facts = await readClaimFacts(runIn(tx), tx.organizationId, bodies.map(wantedOf), tx.now())
  const orders = bodies.map((body) => assertClaimable(tx, facts, body))
  return issueClaims(tx, facts, orders)
}
