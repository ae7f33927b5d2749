import type { getItemType } from '@/lib/catalog/item-types/get-item-type'
import type { Opened } from '@/lib/platform/api/form-action'
import { shownOf } from '@/lib/platform/http/changed-fields'

/** What the form of an item type shows of it. */
export const openedItemType = (itemType: Awaited<ReturnType<typeof getItemType>>): Opened =>
  shownOf(itemType, ['name', 'schema'])
