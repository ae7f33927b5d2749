import type { CollectionChoice } from '@/components/dashboard/items/item-form'
import type { Context } from '@/lib/platform/auth/context'
import { listCollectionChoices } from '@/lib/catalog/collections/list-collection-choices'
import { listItemTypeChoices } from '@/lib/catalog/item-types/list-item-type-choices'

/** The collections that an item can be created in, each with its item type. */
export async function collectionChoices(ctx: Context): Promise<CollectionChoice[]> {
  const [collections, types] = await Promise.all([listCollectionChoices(ctx), listItemTypeChoices(ctx)])
  const typeOf = new Map(types.map((type) => [type.id, { name: type.name, schema: type.schema }]))
  return collections.map(({ id, name, default_item_type_id }) => ({
    id,
    name,
    itemType: typeOf.get(default_item_type_id) ?? null,
  }))
}
