import Link from 'next/link'
import { ItemPicture, titleOf } from '@/components/ui/picture'
import type { Answer } from '@/lib/platform/api/endpoint'
import type { listPublicItems } from '@/lib/platform/api/items'

type Item = Answer<typeof listPublicItems>['results'][number]

/** Items as pictures with their titles, each a link to its page. `line`: what else is said of an item. */
export function ItemGrid({ items, line }: { items: readonly Item[]; line?: (item: Item) => string | undefined }) {
  return (
    <ul className="grid grid-cols-2 gap-x-4 gap-y-6 sm:grid-cols-3 lg:grid-cols-4">
      {items.map((item) => (
        <li key={item.id}>
          <Link href={`/i/${item.id}`} prefetch={false} className="group grid content-start gap-3 rounded-lg">
            <span className="overflow-hidden rounded-lg border bg-pane p-2 shadow-rest transition-shadow group-hover:shadow-lift">
              <ItemPicture item={item} size="thumb" className="aspect-square w-full rounded-md" />
            </span>
            <span className="border-l-2 border-glass pl-3">
              <span dir="auto" className="block font-medium wrap-anywhere">
                {titleOf(item)}
              </span>
              <span className="block text-sm text-muted">{line?.(item)}</span>
            </span>
          </Link>
        </li>
      ))}
    </ul>
  )
}
