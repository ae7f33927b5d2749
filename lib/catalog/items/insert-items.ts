import type { Input } from '../../platform/api/endpoint.ts'
import type { createItem } from '../../platform/api/items.ts'
import type { StatementContext } from '../../platform/auth/context.ts'
import { typeIdOf } from '../collections/collection-columns.ts'
import { operatorMayMint } from '../../orders/operator-may-mint.ts'
import { unknownId } from '../../core/errors.ts'
import { newId } from '../../core/id.ts'
import { columns, type RowOf } from '../../db/columns.ts'
import { type TypeSchema, assertAttributesValid } from '../item-types/validate-attributes.ts'
import { lockTypeSchema } from '../item-types/lock-type-schema.ts'
import { assertUploadedFiles } from '../../records/media/media-urls.ts'
import { queueItemImages } from '../../records/media/queue-item-image.ts'
import { royaltyUnsupported } from './send-royalties.ts'
import { assertTranslated, translationsGiven } from './translations.ts'
import type { Attributes } from './show-item.ts'

type NewItem = Input<typeof createItem>['body']

/**
 * Inserts unlocked items after validating each against its type. `fieldOf` names a field of an item in the request;
 * `isChecked`: their attributes were, under the same lock of the type.
 */
export async function insertItems(
  tx: StatementContext,
  items: readonly NewItem[],
  fieldOf: (at: number, name: string) => string,
  { isChecked = false } = {},
): Promise<string[]> {
  const wanted = [...new Set(items.map((item) => item.collection_id))]
  const rowsOfCollections = await tx.rows<InsertedInto>(READ_COLLECTIONS, tx.organizationId, wanted)
  const collections = new Map(rowsOfCollections.map((row) => [row.id, row]))
  const typeSchemas = new Map<string | null, TypeSchema>()
  const rows = []
  for (const [at, item] of items.entries()) {
    const collection = collections.get(item.collection_id)
    if (!collection) throw unknownId(fieldOf(at, 'collection_id'), 'collection')
    if (item.royalty_info && collection.deploymentStatus === 'SUCCESS' && !operatorMayMint(collection))
      throw royaltyUnsupported()
    const itemTypeId = typeIdOf(item.item_type_id) ?? collection.defaultItemTypeId
    if (!typeSchemas.has(itemTypeId))
      typeSchemas.set(itemTypeId, await lockTypeSchema(tx, itemTypeId, fieldOf(at, 'item_type_id')))
    rows.push({
      id: newId(),
      organizationId: tx.organizationId,
      collectionId: collection.id,
      itemTypeId,
      attributes: withoutNulls(item.attributes),
      translations: translationsGiven(item.translations, fieldOf(at, 'translations')),
      royaltyReceiver: item.royalty_info?.receiver ?? null,
      royaltyBps: item.royalty_info?.amount_bps ?? null,
      createdAt: tx.now(),
    })
  }
  if (!isChecked)
    await assertAttributesValid(
      tx,
      rows.map((row, at) => ({
        typeSchema: typeSchemas.get(row.itemTypeId)!,
        attributes: row.attributes,
        field: fieldOf(at, 'attributes'),
      })),
    )
  await assertTranslated(
    tx,
    rows.map((row, at) => ({ ...row, field: fieldOf(at, 'translations') })),
  )
  await assertUploadedFiles(
    tx,
    rows.map(({ attributes }, at) => ({ url: attributes.image_url, field: `${fieldOf(at, 'attributes')}.image_url` })),
  )
  await tx.later(INSERT, JSON.stringify(rows))
  await queueItemImages(tx, rows)
  return rows.map((row) => row.id)
}

/** The columns of a collection that are read to insert items into it. */
const COLLECTION = columns('c', 'Collection', [
  'id',
  'defaultItemTypeId',
  'deploymentStatus',
  'deploymentType',
  'minter',
])
type InsertedInto = RowOf<typeof COLLECTION>
const READ_COLLECTIONS = {
  name: 'read_collections_of_new_items',
  text: `SELECT ${COLLECTION} FROM collections c WHERE organization_id = $1::uuid AND id = ANY($2::uuid[])`,
}

const INSERT = {
  name: 'insert_items',
  text: `INSERT INTO items (id, organization_id, collection_id, item_type_id, attributes, translations,
      royalty_receiver, royalty_bps, created_at, updated_at)
    SELECT id, "organizationId", "collectionId", "itemTypeId", attributes, nullif(translations, 'null'),
      "royaltyReceiver", "royaltyBps", "createdAt", "createdAt"
    FROM jsonb_to_recordset($1::jsonb) AS item (id uuid, "organizationId" uuid, "collectionId" uuid, "itemTypeId" uuid,
      attributes jsonb, translations jsonb, "royaltyReceiver" text, "royaltyBps" int, "createdAt" timestamptz)`,
}

/** An explicit null means the same as leaving the attribute out. */
export const withoutNulls = (attributes: Attributes): Attributes =>
  Object.fromEntries(Object.entries(attributes).filter(([, value]) => value !== null && value !== undefined))
