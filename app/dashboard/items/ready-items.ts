import { getFormatter, getTranslations } from 'next-intl/server'
import type { PickerItem } from '@/components/dashboard/items/item-picker'
import { stockOf } from '@/components/dashboard/items/item-stock'
import { titleOf } from '@/components/ui/item-title'
import { givableUnits } from '@/lib/core/stock'
import type { Context } from '@/lib/platform/auth/context'
import { listCollectionChoices } from '@/lib/catalog/collections/list-collection-choices'
import { listItems } from '@/lib/catalog/items/list-items'

/** Items that can be given to somebody right now: locked, deployed, with units left. */
export async function readyItems(ctx: Context, search: string): Promise<{ items: PickerItem[]; more: boolean }> {
  const [t, format, page, collections] = await Promise.all([
    getTranslations('dashboard.items'),
    getFormatter(),
    listItems(ctx, { limit: 60, locked: 'true', attribute: [], ...(search && { search }) }),
    listCollectionChoices(ctx, { deployed: true }),
  ])
  const names = new Map(collections.map(({ id, name }) => [id, name]))
  const items = page.results.flatMap((item) => {
    const collectionName = names.get(item.collection_id)
    const left = givableUnits(stockOf(item))
    if (collectionName === undefined || left === 0n) return []
    return [
      {
        ...item,
        title: titleOf(item),
        collectionName,
        left: left === null ? t('picker.noLimit') : t('picker.left', { count: format.number(left) }),
      },
    ]
  })
  return { items, more: page.has_more }
}
