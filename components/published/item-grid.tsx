import type { ReactNode } from 'react'
import { Link } from '@/components/ui/link'
import { useLocale } from 'next-intl'
import { titleOf } from '@/components/ui/item-title'
import { ItemPicture } from '@/components/ui/picture'
import { Quoted } from '@/components/ui/quoted'
import type { Answer } from '@/lib/platform/api/endpoint'
import type { listPublicItems } from '@/lib/platform/api/items'

type Item = Answer<typeof listPublicItems>['results'][number]

type Props<I> = {
  items: readonly I[]
  /** A further line about an item. */
  line?: (item: I) => string | undefined
  /** Where an item leads; to its public page unless given. */
  link?: (item: I, tile: { className: string; children: ReactNode }) => ReactNode
  /** The id of what names the list. */
  labelledBy?: string
}

/** Items as pictures with their titles, each a link. */
export function ItemGrid<I extends Item>({ items, line, link = publicPageOf, labelledBy }: Props<I>) {
  const locale = useLocale()
  return (
    <ul aria-labelledby={labelledBy} className="grid grid-cols-2 gap-x-4 gap-y-6 sm:grid-cols-3 lg:grid-cols-4">
      {items.map((item) => (
        <li key={item.id}>
          {link(item, {
            className: 'group grid content-start gap-3 rounded-lg',
            children: (
              <>
                <span
                  className={
                    'overflow-hidden rounded-lg border bg-pane p-2 shadow-rest ' +
                    'transition-shadow group-hover:shadow-lift'
                  }
                >
                  <ItemPicture item={item} size="thumb" className="aspect-square w-full rounded-md" />
                </span>
                <span className="border-s-2 border-glass ps-3">
                  <span className="block font-medium wrap-anywhere">
                    <Quoted>{titleOf(item, locale)}</Quoted>
                  </span>
                  <span className="block text-sm text-muted">{line?.(item)}</span>
                </span>
              </>
            ),
          })}
        </li>
      ))}
    </ul>
  )
}

const publicPageOf = ({ id }: Item, tile: { className: string; children: ReactNode }) => (
  <Link href={`/i/${id}`} prefetch={false} {...tile} />
)
