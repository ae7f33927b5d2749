import { type Address, isAddressEqual } from 'viem'
import type { Input, Output } from '../platform/api/endpoint.ts'
import type { checkRecipient as endpoint } from '../platform/api/public-claims.ts'
import type { Context } from '../platform/auth/context.ts'
import { AppError, notFound } from '../core/errors.ts'
import { columns, type RowOf } from '../db/columns.ts'
import type { Statement } from '../db/statements.ts'
import { linkOf } from './current-claim.ts'

const COLLECTION = columns('c', 'Collection', ['networkId', 'contractAddress', 'minter', 'signer'])
const ORGANIZATION = columns('o', 'Organization', ['payoutAddress'])
type Row = RowOf<typeof COLLECTION> & RowOf<typeof ORGANIZATION>

const READ: Statement = {
  name: 'own_addresses_of_claim',
  text: `SELECT ${COLLECTION}, ${ORGANIZATION}
    FROM email_claims e JOIN collections c ON c.id = e.collection_id JOIN organizations o ON o.id = e.organization_id
    WHERE e.id = $1::uuid`,
}

/**
 * Finds out, before an item is sent to an address, whether it is a contract and whether it is one of the sender's own.
 * Calls the claim's network. Throws `unavailable` while that isn't connected.
 */
export async function checkRecipient(
  ctx: Context,
  { address }: Input<typeof endpoint>['query'],
): Promise<Output<typeof endpoint>> {
  const [row] = await ctx.rows<Row>(READ, linkOf(ctx).id)
  if (!row) throw notFound()
  const chain = row.networkId === null ? undefined : ctx.ports.chains.get(row.networkId)
  if (!chain)
    throw new AppError('unavailable', 'The blockchain network of this item is not connected right now.', {
      retryAfterSeconds: 60,
    })
  const own = [row.payoutAddress, row.contractAddress, row.minter, row.signer, ...ctx.ports.keys.operators]
  return {
    is_contract: (await chain.code(address as Address)) !== null,
    is_senders_own: own.some((one) => one !== null && isAddressEqual(one as Address, address as Address)),
  }
}
