import { titleOf } from '@/components/ui/item-title'
import { listCollectionChoices } from '@/lib/catalog/collections/list-collection-choices'
import { listItems } from '@/lib/catalog/items/list-items'
import type { Context } from '@/lib/platform/auth/context'

/** Items with several units that can be sent, the newest hundred: of one collection, or (null) of all. */
export async function listEditions(
  ctx: Context,
  collectionId: string | null,
  collections = listCollectionChoices(ctx),
): Promise<{ id: string; name: string }[]> {
  const query = {
    limit: 100,
    locked: 'true' as const,
    attribute: [],
    ...(collectionId && { collection_id: collectionId }),
  }
  const [locked, among] = await Promise.all([listItems(ctx, query), collections])
  const editions = among.filter((one) => one.deployment?.status === 'SUCCESS' && one.token_type === 'ERC1155')
  const ids = new Set(editions.map(({ id }) => id))
  return locked.results
    .filter((item) => ids.has(item.collection_id))
    .map((item) => ({ id: item.id, name: titleOf(item) }))
}
