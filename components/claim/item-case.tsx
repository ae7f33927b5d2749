import { ItemPicture, titleOf } from '@/components/ui/picture'
import type { PictureItem } from '@/components/ui/picture'
import { attributeValue } from '@/components/ui/colours'

const shownElsewhere = new Set(['title', 'description', 'image_url'])

/** A large picture of the item with its title, description and attributes. */
export function ItemCase({ item, quantity }: { item: PictureItem; quantity: number }) {
  const title = titleOf(item)
  const attributes = item.attributes ?? {}
  const description = attributeValue(attributes.description)
  const others = Object.entries(attributes)
    .map(([name, attribute]) => ({ name, value: attributeValue(attribute) }))
    .filter(({ name, value }) => !shownElsewhere.has(name) && ['string', 'number', 'boolean'].includes(typeof value))
  return (
    <figure className="grid gap-6">
      <div className="rounded-lg border bg-pane p-3 shadow-lift sm:p-5">
        <div className="overflow-hidden rounded-md bg-well">
          <ItemPicture item={item} className="max-h-[70dvh] w-full" />
        </div>
      </div>
      <figcaption className="grid gap-3 border-l-2 border-glass pl-4">
        <h1 className="text-2xl font-medium wrap-anywhere sm:text-3xl">
          {title}
          {quantity > 1 && <span className="text-muted"> × {quantity}</span>}
        </h1>
        {typeof description === 'string' && description && (
          <p className="max-w-prose whitespace-pre-line text-muted">{description}</p>
        )}
        {others.length > 0 && (
          <dl className="flex flex-wrap gap-x-8 gap-y-3 pt-1">
            {others.map(({ name, value }) => (
              <div key={name}>
                <dt className="label-caps text-muted">{name.replaceAll('_', ' ')}</dt>
                <dd className="mt-0.5 wrap-anywhere">{String(value)}</dd>
              </div>
            ))}
          </dl>
        )}
      </figcaption>
    </figure>
  )
}
