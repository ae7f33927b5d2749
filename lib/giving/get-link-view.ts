import { assertIssued, claimTokenHashOf, type IssuedLink } from '../platform/auth/authenticate.ts'
import type { Context } from '../platform/auth/context.ts'
import { questions } from '../platform/http/hot/questions.ts'
import { now } from '../core/clock.ts'
import { notFound } from '../core/errors.ts'
import { columns } from '../db/columns.ts'
import { asClaimLink, rowsOfEach } from '../db/rows-of-each.ts'
import { call, type Statement } from '../db/statements.ts'
import { activeListingIn, shownListingOf } from '../offers/listings/active-listing.ts'
import type { FlatPublicListing } from '../offers/listings/public-listing.ts'
import { CLAIM_VIEW_COLUMNS, type ClaimViewRow, viewOf } from './get-claim-view.ts'
import { SHOWN_CLAIM_FROM } from './shown-claim.ts'

/** Found first, whatever the planner knows of the tables. */
const CLAIM = '(SELECT t.claim_id FROM claim_tokens t WHERE t.hash = $1::bytea)'

const LINK = [
  columns('link', 'ClaimToken', ['claimId', 'serverKeyId']),
  columns('link', 'ClaimToken', ['generation'], 'link'),
].join(', ')

const VIEW: Statement = {
  name: 'claim_view_of_link',
  text: `SELECT ${CLAIM_VIEW_COLUMNS}, ${LINK}
    FROM ${SHOWN_CLAIM_FROM}
      JOIN claim_tokens link ON link.organization_id = e.organization_id AND link.hash = $1::bytea
    WHERE e.id = ${CLAIM}`,
}

const LISTING = activeListingIn(
  'active_listing_of_link',
  `(SELECT e.organization_id, e.item_id FROM email_claims e WHERE e.id = ${CLAIM})`,
  '$2',
)

type LinkRow = {
  row: (ClaimViewRow & IssuedLink & { linkGeneration: number }) | undefined
  listing: FlatPublicListing | undefined
}

const links = questions(async (tokens: readonly [string][]) => {
  const asked = tokens.map(([token]) => {
    const hash = claimTokenHashOf(token)
    return { as: asClaimLink(hash), calls: [call(VIEW, hash), call(LISTING, hash, now())] }
  })
  return (await rowsOfEach(asked)).map(([rows, listings]) => ({ row: rows![0], listing: listings![0] }) as LinkRow)
})

/**
 * The view of the claim whose link has this token, as `getClaimView` gives it. The token is proved in the same round
 * trip.
 */
export async function getLinkView(ctx: Context, token: string) {
  claimTokenHashOf(token) // Throws for a text that can't be a token, before the database is asked.
  const { row, listing } = await links([token], ctx.signal)
  if (!row) throw notFound()
  assertIssued(token, { ...row, generation: row.linkGeneration })
  return viewOf(ctx, row, row.linkGeneration, listing ? shownListingOf(listing, ctx.now()) : null)
}
