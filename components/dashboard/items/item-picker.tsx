import { Link } from '@/components/ui/link'
import { useTranslations } from 'next-intl'
import { LinkButton } from '@/components/ui/link-button'
import { Card } from '@/components/ui/card'
import { EmptyState } from '@/components/ui/empty-state'
import { Field } from '@/components/ui/field'
import { Input } from '@/components/ui/input'
import { type PictureItem, titleOf } from '@/components/ui/item-title'
import { ItemPicture } from '@/components/ui/picture'
import { Filters } from '../lists/filters'
import { hrefOf } from '../lists/href'

export type PickerItem = PictureItem & { id: string; token_id: string | null; collectionName: string; left: string }

/** Chooses an item by its picture. The choice is a query parameter, so it can be linked to. */
export function ItemPicker({
  path,
  search,
  keep = {},
  items,
  more,
}: {
  path: string
  search: string
  /** Other query parameters, which are preserved. */
  keep?: Record<string, string | null>
  items: PickerItem[]
  more: boolean
}) {
  const t = useTranslations('dashboard.items')
  return (
    <>
      {(items.length > 0 || search) && (
        <Filters path={path} active={Boolean(search)}>
          <Field label={t('filters.title')}>
            <Input name="search" type="search" defaultValue={search} />
          </Field>
          {Object.entries(keep).map(
            ([name, value]) => value && <input key={name} type="hidden" name={name} value={value} />,
          )}
        </Filters>
      )}
      {items.length === 0 ? (
        <Card>
          <EmptyState
            title={search ? t('picker.none') : t('picker.empty')}
            action={<LinkButton href="/dashboard/items">{t('picker.toItems')}</LinkButton>}
          >
            {t('picker.listed')}
          </EmptyState>
        </Card>
      ) : (
        <ul className="grid grid-cols-2 gap-4 sm:grid-cols-3 lg:grid-cols-5">
          {items.map((item) => (
            <li key={item.id}>
              <Link
                href={hrefOf(path, { ...keep, item_id: item.id })}
                className="group grid gap-2 rounded-lg border bg-pane p-2 transition-shadow hover:shadow-lift"
              >
                <span className="block overflow-hidden rounded-md bg-well">
                  <ItemPicture item={item} size="thumb" className="w-full" />
                </span>
                <span className="grid gap-0.5 px-1 pb-1">
                  <span className="line-clamp-2 text-sm font-medium wrap-anywhere">{titleOf(item)}</span>
                  <span className="text-xs text-muted">{item.collectionName}</span>
                  <span className="text-xs text-muted">{item.left}</span>
                </span>
              </Link>
            </li>
          ))}
        </ul>
      )}
      {more && <p className="text-sm text-muted">{t('picker.more')}</p>}
    </>
  )
}
