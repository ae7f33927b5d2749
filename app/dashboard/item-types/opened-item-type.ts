import type { getItemType } from '@/lib/catalog/item-types/get-item-type'
import type { Opened } from '@/lib/platform/api/form-action'
import { shownOf } from '@/lib/platform/http/changed-fields'

/** The values of an item type that its form shows. */
export const openedItemType = (itemType: Awaited<ReturnType<typeof getItemType>>): Opened =>
  shownOf(itemType, ['name', 'schema'])
