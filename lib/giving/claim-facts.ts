import type { Suppression } from '../../generated/prisma/client.ts'
import { columns, type RowOf } from '../db/columns.ts'
import type { Run } from '../db/organization-transaction.ts'
import { type Call, call, type Statement } from '../db/statements.ts'
import { type MailedOrganization, READ_NAME } from '../organizations/organization-name.ts'
import { SUPPRESSIONS } from '../messaging/email-integrations/find-suppression.ts'
import { type MailQuota, quotaCalls } from '../messaging/outbox/mail-quota.ts'

const COLLECTION = columns('collections', 'Collection', [
  'id',
  'name',
  'networkId',
  'tokenType',
  'deploymentType',
  'deploymentStatus',
  'minter',
  'revealStrategy',
  'revealedAt',
  'previewMetadata',
])
type CollectionFacts = RowOf<typeof COLLECTION>
const ITEM = columns('items', 'Item', [
  'id',
  'collectionId',
  'tokenId',
  'attributes',
  'translations',
  'lockedAt',
  'maxSupply',
  'minted',
  'held',
  'custodian',
  'imageSource',
  'imageCid',
  'imageFile',
])
/** The facts of an item by which a claim of it is judged, shown and mailed. */
export type ItemFacts = RowOf<typeof ITEM> & { collection: CollectionFacts; inEscrow: boolean }
const CAMPAIGN = columns('campaigns', 'Campaign', ['id', 'emailFrom', 'sendAt', 'locale'])
export type CampaignFacts = RowOf<typeof CAMPAIGN>
export type ClaimFacts = {
  organization: MailedOrganization
  quota: MailQuota
  items: ReadonlyMap<string, ItemFacts>
  campaigns: ReadonlyMap<string, CampaignFacts>
  /** By address, in lower case. */
  suppressions: ReadonlyMap<string, Suppression>
}

/** A campaign is not deleted until the transaction ends. */
const LOCK_CAMPAIGNS: Statement = {
  name: 'lock_campaigns',
  text: `SELECT ${CAMPAIGN} FROM campaigns WHERE id = ANY($1::uuid[]) ORDER BY id FOR KEY SHARE`,
}

const LOCK_ITEMS: Statement = {
  name: 'lock_items_of_claims',
  text: `SELECT ${ITEM}, kept_by IS NOT NULL AND EXISTS (SELECT 1 FROM escrows e WHERE e.item_id = items.id
        AND e.state IN ('HELD', 'OFFERED', 'RETURNING', 'RETURN_REFUSED')) AS "inEscrow"
    FROM items WHERE id = ANY($1::uuid[]) ORDER BY id FOR NO KEY UPDATE`,
}

const READ_COLLECTIONS: Statement = {
  name: 'collections_of_claims',
  text: `SELECT ${COLLECTION}
    FROM collections WHERE id IN (SELECT collection_id FROM items WHERE id = ANY($1::uuid[]))`,
}

type Wanted = { itemId: string; campaignId: string | null; email: string }

/**
 * Locks the campaigns and items of new claims of one organization, in the order of locks, and reads what decides about
 * the claims. What doesn't exist is missing in the answer.
 */
export async function readClaimFacts(
  run: Run,
  organizationId: string,
  wanted: readonly Wanted[],
  now: Date,
): Promise<ClaimFacts> {
  const itemIds = distinct(wanted.map(({ itemId }) => itemId))
  const campaignIds = distinct(wanted.flatMap(({ campaignId }) => campaignId ?? []))
  const emails = distinct(wanted.map(({ email }) => email.toLowerCase()))
  const calls: Call[] = [
    call(LOCK_CAMPAIGNS, campaignIds),
    call(LOCK_ITEMS, itemIds),
    call(READ_COLLECTIONS, itemIds),
    call(SUPPRESSIONS, organizationId, emails),
    call(READ_NAME, organizationId),
    ...quotaCalls(organizationId, now),
  ]
  const answers = await run(...calls)
  const [campaigns, items, collections, suppressions, [organization], , [quota]] = answers as unknown as [
    CampaignFacts[],
    Omit<ItemFacts, 'collection'>[],
    CollectionFacts[],
    Suppression[],
    MailedOrganization[],
    unknown,
    MailQuota[],
  ]
  const collectionOf = byId(collections)
  return {
    organization: organization!,
    quota: quota!,
    items: byId(items.map((item) => ({ ...item, collection: collectionOf.get(item.collectionId)! }))),
    campaigns: byId(campaigns),
    suppressions: new Map(suppressions.map((row) => [row.email, row])),
  }
}

const byId = <T extends { id: string }>(rows: readonly T[]): Map<string, T> => new Map(rows.map((row) => [row.id, row]))
const distinct = (ids: readonly string[]): string[] => [...new Set(ids)]
