import { isDeepStrictEqual } from 'node:util'
import { Prisma } from '../../../generated/prisma/client.ts'
import type { Input, Output } from '../../platform/api/endpoint.ts'
import type { updateItem as endpoint } from '../../platform/api/items.ts'
import { recordAudit } from '../../records/audit/record-audit.ts'
import { type Context, inTransaction } from '../../platform/auth/context.ts'
import { typeIdOf } from '../collections/collection-columns.ts'
import { lockCollection } from '../collections/lock-collection.ts'
import { isHidden, recordProvenance } from '../collections/reveal.ts'
import { operatorMayMint } from '../../orders/operator-may-mint.ts'
import { AppError, fieldError, notFound } from '../../core/errors.ts'
import { attributeNameOf } from '../../platform/api/attributes.ts'
import { assertAttributesValid } from '../item-types/validate-attributes.ts'
import { lockTypeSchema } from '../item-types/lock-type-schema.ts'
import { assertUploadedFiles } from '../../records/media/media-urls.ts'
import { queueItemImage } from '../../records/media/queue-item-image.ts'
import { refreshMetadata } from '../../orders/refresh-metadata.ts'
import { withoutNulls } from './insert-items.ts'
import { royaltyUnsupported, sendRoyalties } from './send-royalties.ts'
import { assertTranslated, translationsGiven } from './translations.ts'
import { adminItemOf, type Attributes, type ItemRow, withCollection } from './show-item.ts'

type ItemChange = Input<typeof endpoint>['body']
/** The endpoint demands the title. A form leaves out one that stays as it is. */
type Body = Omit<ItemChange, 'attributes'> & {
  attributes: Omit<ItemChange['attributes'], 'title'> & { title?: string }
}

/**
 * Changes an item. Its row is locked first, so that a mint either waits or is seen. Throws `attributes_invalid`,
 * `image_invalid`, `item_already_minted`, `item_already_locked`, `contents_fixed` and `royalty_unsupported`.
 */
export const updateItem = (ctx: Context, id: string, body: Body): Promise<Output<typeof endpoint>> =>
  inTransaction(ctx, async (tx) => {
    await tx.sql(Prisma.sql`
      SELECT 1 FROM items WHERE id = ${id}::uuid AND organization_id = ${tx.organizationId}::uuid FOR UPDATE`)
    if (body.royalty_info !== undefined) await lockDeployment(tx, id)
    const before = await tx.db.item.findFirst({ where: { id }, ...withCollection })
    if (!before) throw notFound()
    const attributes = withoutNulls(mergedOf(before.attributes as Attributes, body.attributes))
    const itemTypeId = body.item_type_id == null ? before.itemTypeId : typeIdOf(body.item_type_id)
    const translations =
      body.translations === undefined ? before.translations : translationsGiven(body.translations, 'translations')
    const changed = !isDeepStrictEqual(attributes, before.attributes)
    const translated = !isDeepStrictEqual(translations, before.translations)
    assertChangeable(before, { changed: changed || translated, itemTypeId })
    if (translated) await assertTranslated(tx, [{ attributes, translations, field: 'translations' }])
    const hidden = (changed || translated) && before.lockedAt !== null && isHidden(before.collection)
    if (hidden) await lockCollection(tx, before.collectionId)
    await assertAttributesValid(tx, [
      {
        typeSchema: await lockTypeSchema(tx, itemTypeId ?? before.collection.defaultItemTypeId),
        attributes,
        field: 'attributes',
      },
    ])
    if (changed) await assertUploadedFiles(tx, [{ url: attributes.image_url, field: 'attributes.image_url' }])

    const royalty = royaltyAfter(before, body)
    const after = await tx.db.item.update({
      where: { id },
      data: {
        attributes: attributes as Prisma.InputJsonObject,
        translations: translations ?? Prisma.DbNull,
        itemTypeId,
        royaltyReceiver: royalty.receiver,
        royaltyBps: royalty.bps,
      },
      ...withCollection,
    })
    if (hidden) await recordProvenance(tx, after.collection)
    if (changed) await queueItemImage(tx, id, attributes)
    if (changed && isOnChain(before))
      await refreshMetadata(tx, after.collection, { from: after.tokenId!, to: after.tokenId! })
    if (royalty.changed && after.tokenId !== null) await sendRoyalties(tx, after.collection, [after])
    const { origin } = tx.ports.addresses
    await recordAudit(tx, {
      action: 'item.updated',
      subject: { type: 'item', id },
      before: adminItemOf(before, origin),
      after: adminItemOf(after, origin),
    })
    return adminItemOf(after, origin)
  })

/** A given attribute replaces one whose name was stored in another form. */
function mergedOf(before: Attributes, given: Attributes): Attributes {
  const others = Object.entries(before).filter(
    ([name]) => Object.hasOwn(given, name) || !Object.hasOwn(given, attributeNameOf(name)),
  )
  return { ...Object.fromEntries(others), ...given }
}

/**
 * Makes a deployment that completes meanwhile wait: either it sends the new royalty, or this transaction sees it as
 * done.
 */
const lockDeployment = (tx: Context, itemId: string) =>
  tx.sql(Prisma.sql`
    SELECT 1 FROM collections WHERE id = (SELECT collection_id FROM items WHERE id = ${itemId}::uuid) FOR SHARE`)

/** A requested mint counts as minted. For ERC-1155 the first unit is enough. */
const isOnChain = (item: Pick<ItemRow, 'minted' | 'minting'>): boolean => item.minted > 0n || item.minting > 0n

function assertChangeable(
  item: ItemRow,
  { changed, itemTypeId }: { changed: boolean; itemTypeId: string | null },
): void {
  const retyped = itemTypeId !== item.itemTypeId
  if (isOnChain(item) && (changed || retyped) && !item.collection.editableMetadata)
    throw new AppError(
      'item_already_minted',
      'Attributes of a minted item can’t change: its collection has editable_metadata false.',
    )
  if (retyped && item.lockedAt !== null)
    throw fieldError('item_already_locked', 'item_type_id', 'A locked item keeps its type.')
}

type Royalty = { receiver: string | null; bps: number | null; changed: boolean }

function royaltyAfter(item: ItemRow, { royalty_info: given }: Body): Royalty {
  if (given === undefined) return { receiver: item.royaltyReceiver, bps: item.royaltyBps, changed: false }
  const receiver = given?.receiver ?? null
  const bps = given?.amount_bps ?? null
  const changed = receiver !== item.royaltyReceiver || bps !== item.royaltyBps
  if (changed && item.collection.deploymentStatus === 'SUCCESS' && !operatorMayMint(item.collection))
    throw royaltyUnsupported()
  return { receiver, bps, changed }
}
