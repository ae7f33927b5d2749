import type { getCollection } from '@/lib/catalog/collections/get-collection'
import type { Opened } from '@/lib/platform/api/form-action'
import { shownOf } from '@/lib/platform/http/changed-fields'

/** The values of a collection that its form shows. */
export const openedCollection = (collection: Awaited<ReturnType<typeof getCollection>>): Opened =>
  shownOf(collection, [
    'name',
    'description',
    'external_link',
    'image_url',
    'media',
    'default_item_type_id',
    'royalty_info',
    'is_public',
    'editable_metadata',
    'reveal_strategy',
    'preview_metadata',
  ])
