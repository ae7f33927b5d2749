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

/** What is asked as one organization: the statements run as the one that `as` names. */
export type Asked = { as: Call; calls: readonly Call[] }

/** The rows of each statement that each of them asks, in one round trip for all. */
export async function rowsOfEach(asked: readonly Asked[]): Promise<Row[][][]> {
  const sent = asked.flatMap(({ as, calls }) => [as, ...calls])
  const results = await runAlone(connectionsOf('vitrine_app'), sent)
  let next = 0
  return asked.map(({ calls }) => results.slice(next + 1, (next += 1 + calls.length)))
}
