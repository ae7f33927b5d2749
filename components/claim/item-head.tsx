import type { ReactNode } from 'react'
import { useLocale } from 'next-intl'
import { classes } from '@/components/ui/classes'
import { type PictureItem, titleOf } from '@/components/ui/item-title'
import { attributeValue } from '@/components/ui/attribute-value'
import { Quoted, writingOf } from '@/components/ui/quoted'

const shownElsewhere = new Set(['title', 'description', 'image_url'])

/**
 * How much room the picture has on a phone: the least once there is something to type. Wide screens have room beside
 * the steps.
 */
export type Prominence = 'arrived' | 'large' | 'beside_a_button' | 'thumbnail'

const LARGE = {
  figure: 'grid gap-6',
  mat: 'p-3 sm:p-5',
  picture: '*:max-h-[70dvh]',
  title: 'text-2xl sm:text-3xl',
}
const looks = {
  arrived: { ...LARGE, mat: `${LARGE.mat} animate-unveil` },
  large: LARGE,
  beside_a_button: {
    figure: 'grid gap-4 lg:gap-6',
    mat: 'p-3 lg:p-5',
    picture: '*:max-h-[34dvh] lg:*:max-h-[70dvh]',
    title: 'line-clamp-3 text-2xl lg:line-clamp-none lg:text-3xl',
  },
  thumbnail: {
    figure: 'flex items-center gap-4 lg:grid lg:gap-6',
    mat: 'w-16 shrink-0 p-1 lg:w-auto lg:p-5',
    picture: '*:aspect-square lg:*:aspect-auto lg:*:max-h-[70dvh]',
    title: 'line-clamp-2 text-lg lg:line-clamp-none lg:text-3xl',
  },
} satisfies Record<Prominence, Record<'figure' | 'mat' | 'picture' | 'title', string>>

type ItemHeadProps = {
  item: PictureItem
  /** The item's picture, as wide as its place: drawn by the server, where its script isn't wanted in the browser. */
  picture: ReactNode
  quantity: number
  prominence: Prominence
}

/** The item's picture and title. */
export function ItemHead({ item, picture, quantity, prominence }: ItemHeadProps) {
  const locale = useLocale()
  const look = looks[prominence]
  return (
    <figure className={look.figure}>
      <div className={classes('rounded-lg border bg-pane shadow-lift', look.mat)}>
        <div className={classes('overflow-hidden rounded-md bg-well', look.picture)}>{picture}</div>
      </div>
      <figcaption className="min-w-0 border-s-2 border-glass ps-4">
        <h1 className={classes('font-medium wrap-anywhere', look.title)}>
          {/* Read in its own direction, and aligned as the page is. */}
          <Quoted>{titleOf(item, locale)}</Quoted>
          {quantity > 1 && <span className="text-muted">{` × ${quantity}`}</span>}
        </h1>
      </figcaption>
    </figure>
  )
}

/** The item's description and attributes; nothing where it has none. */
export function ItemAbout({ item }: { item: PictureItem }) {
  const locale = useLocale()
  const attributes = item.attributes ?? {}
  const description = item.translations?.[locale]?.description ?? attributeValue(attributes.description)
  const others = Object.entries(attributes)
    .map(([name, attribute]) => ({ name, value: attributeValue(attribute) }))
    .filter(({ name, value }) => !shownElsewhere.has(name) && ['string', 'number', 'boolean'].includes(typeof value))
  const isDescribed = typeof description === 'string' && description !== ''
  if (!isDescribed && others.length === 0) return null
  return (
    <div className="grid gap-3 border-s-2 border-glass ps-4">
      {isDescribed && (
        <p {...writingOf(description, locale)} className="max-w-prose whitespace-pre-line text-muted">
          {description}
        </p>
      )}
      {others.length > 0 && (
        <dl className="flex flex-wrap gap-x-8 gap-y-3 pt-1">
          {others.map(({ name, value }) => (
            <div key={name}>
              <dt className="label-caps text-muted">
                <Quoted>{name.replaceAll('_', ' ')}</Quoted>
              </dt>
              <dd {...writingOf(String(value), locale)} className="mt-0.5 wrap-anywhere">
                {String(value)}
              </dd>
            </div>
          ))}
        </dl>
      )}
    </div>
  )
}
