import type { getCollection } from '@/lib/catalog/collections/get-collection'
import { updateCollection } from '@/lib/platform/api/collections'
import { changeableOf } from '@/lib/platform/http/changed-fields'

/** What the form of a collection is opened with. */
export const openedCollection = (collection: Awaited<ReturnType<typeof getCollection>>) =>
  changeableOf(updateCollection, collection)
