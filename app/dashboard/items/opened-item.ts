import type { Opened } from '@/lib/platform/api/form-action'
import { asJson } from '@/lib/platform/http/changed-fields'
import type { getCollection } from '@/lib/catalog/collections/get-collection'
import type { getItem } from '@/lib/catalog/items/get-item'

type ResultOf<Verb extends (...args: never[]) => unknown> = Awaited<ReturnType<Verb>>

/** The values of an item that its form shows. A royalty that is its collection's isn't its own. */
export function openedItem(item: ResultOf<typeof getItem>, collection: ResultOf<typeof getCollection>): Opened {
  const { attributes, royalty_info: own } = item
  const inherited = collection.royalty_info
  const isOwn = own.amount_bps > 0 && (own.receiver !== inherited?.receiver || own.amount_bps !== inherited.amount_bps)
  return asJson({ attributes, royalty_info: isOwn ? own : null })
}
