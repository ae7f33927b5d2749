import { connectionsOf } from './client.ts'
import type { Row } from './confine.ts'
import { type Call, call, runAlone, type Statement } from './statements.ts'

/** Begins to read as the organization that something belongs to; as none, where it is unknown. */
const readAs = (name: string, organization: string): Statement => ({
  name: `read_organization_of_${name}`,
  text: `SELECT set_config('vitrine.organization_id', coalesce(${organization}::text, ''), true),
    set_config('transaction_read_only', 'on', true)`,
})
const AS_LISTING = readAs('listing', 'organization_of_listing($1::uuid)')
const AS_CLAIM_LINK = readAs('claim_link', 'organization_of_claim_link($1::bytea)')
const AS_ORGANIZATION = readAs('organization', '$1::uuid')

/** A listing that anybody may ask about: no draft. */
export const asListing = (id: string): Call => call(AS_LISTING, id)
/** The link of a claim, by the hash of its token. */
export const asClaimLink = (tokenHash: Uint8Array): Call => call(AS_CLAIM_LINK, tokenHash)

/** An organization that is known, since its key was. */
export const asOrganization = (id: string): Call => call(AS_ORGANIZATION, id)

/** Statements that run as one organization, which the call `as` sets. */
export type ScopedCalls = { as: Call; calls: readonly Call[] }

/**
 * Runs the statements of several askers in one round trip. Gives the rows by asker and statement, in the order given.
 */
export async function rowsOfEach(asked: readonly ScopedCalls[]): Promise<Row[][][]> {
  const sent = asked.flatMap(({ as, calls }) => [as, ...calls])
  const results = await runAlone(connectionsOf('vitrine_app'), sent)
  let next = 0
  return asked.map(({ calls }) => results.slice(next + 1, (next += 1 + calls.length)))
}
