import type { CollectionChoice } from '@/components/dashboard/items/item-form'
import type { Context } from '@/lib/platform/auth/context'
import { listCollections } from '@/lib/catalog/collections/list-collections'
import { listItemTypes } from '@/lib/catalog/item-types/list-item-types'

/** The collections that an item can be created in, each with its item type. */
export async function collectionChoices(ctx: Context): Promise<CollectionChoice[]> {
  const [collections, types] = await Promise.all([
    listCollections(ctx, { limit: 100, network_id: [] }),
    listItemTypes(ctx, { limit: 100 }),
  ])
  const typeOf = new Map(types.results.map((type) => [type.id, { name: type.name, schema: type.schema }]))
  return collections.results.map(({ id, name, default_item_type_id }) => ({
    id,
    name,
    itemType: typeOf.get(default_item_type_id) ?? null,
  }))
}
