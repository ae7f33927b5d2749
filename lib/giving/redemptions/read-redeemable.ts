import type { Collection, Item } from '../../../generated/prisma/client.ts'
import type { Context } from '../../platform/auth/context.ts'
import { suspendedError } from '../../platform/auth/suspended.ts'
import { notFound } from '../../core/errors.ts'
import { columns, type RowOf } from '../../db/columns.ts'
import type { Statement } from '../../db/statements.ts'
import { assertActive, linkOf } from '../current-claim.ts'

const CLAIM = columns('e', 'EmailClaim', [
  'id',
  'organizationId',
  'collectionId',
  'itemId',
  'campaignId',
  'email',
  'quantity',
  'txPayer',
  'state',
  'generation',
  'expiresAt',
  'linkWrongPins',
  'declinedAt',
  'escrowId',
])
type Claim = RowOf<typeof CLAIM>
const ITEM = columns('i', 'Item', ['tokenId', 'custodian', 'minted'])
type ItemColumns = RowOf<typeof ITEM>
const COLLECTION = columns('c', 'Collection', ['networkId', 'contractAddress', 'tokenType', 'signer', 'promisesFrom'])
type CollectionColumns = RowOf<typeof COLLECTION>
type Facts = { suspended: boolean; hasPin: boolean; isHeld: boolean }

/** A claim with what says whether and how it can be redeemed. `isHeld`: its units are still set aside for it. */
export type Redeemable = Claim & {
  item: ItemColumns & Pick<Item, 'id'> & { collection: CollectionColumns & Pick<Collection, 'id'> }
} & Pick<Facts, 'hasPin' | 'isHeld'>

const READ: Statement = {
  name: 'read_redeemable_claim',
  text: `SELECT ${CLAIM}, ${ITEM}, ${COLLECTION},
      is_suspended(e.organization_id, e.collection_id) AS suspended,
      EXISTS (SELECT 1 FROM pins p
        WHERE p.claim_id = e.id AND p.state = 'OPEN' AND p.expires_at > $2::timestamptz) AS "hasPin",
      EXISTS (SELECT 1 FROM holds h
        WHERE h.holder_type = 'CLAIM' AND h.holder_id = e.id AND h.state = 'HELD') AS "isHeld"
    FROM email_claims e JOIN items i ON i.id = e.item_id JOIN collections c ON c.id = e.collection_id
    WHERE e.id = $1::uuid`,
}

/** Reads the claim of the caller's link. Throws unless this link can still redeem it. */
export async function readRedeemable(ctx: Context): Promise<Redeemable> {
  const [row] = await ctx.rows<Claim & ItemColumns & CollectionColumns & Facts>(READ, linkOf(ctx).id, ctx.now())
  if (!row) throw notFound()
  assertActive(ctx, row)
  if (row.suspended) throw suspendedError()
  return { ...row, item: { ...row, id: row.itemId, collection: { ...row, id: row.collectionId } } }
}
