import type { CollectionChoice } from '@/components/dashboard/item-form'
import type { Context } from '@/lib/auth/context'
import { listCollections } from '@/lib/collections/list-collections'
import { listItemTypes } from '@/lib/item-types/list-item-types'

/** The collections an item can be put into, each with the attributes its item type speaks of. */
export async function collectionChoices(ctx: Context): Promise<CollectionChoice[]> {
  const [collections, types] = await Promise.all([listCollections(ctx, { limit: 100, network_id: [] }), listItemTypes(ctx, { limit: 100 })])
  const traits = new Map(types.results.map(({ id, schema }) => [id, Object.keys((schema.properties ?? {}) as object)]))
  return collections.results.map(({ id, name, default_item_type_id }) => ({ id, name, traits: traits.get(default_item_type_id) ?? [] }))
}
