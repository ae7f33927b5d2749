import { createHash } from 'node:crypto'
import { getTranslations } from 'next-intl/server'
import { sellerOf } from '@/app/claim/seller-of'
import { readCollection, readItem } from '@/app/c/published'
import { coloursOf } from '@/components/ui/colours'
import { titleOf } from '@/components/ui/item-title'
import { env } from '@/lib/core/env'
import { DEFAULT_LOCALE, type Locale, LOCALES } from '@/lib/core/locales'
import { mediaStemOf } from '@/lib/records/media/media-urls'
import { type LinkPreview, previewPictureOf } from '@/lib/records/media/preview-pictures'
import { drawnArt } from '../../art/draw-item'
import { noPicture, pictureAnswer, pictureRoute } from '../../picture-answer'

const NAME = /^([icg])-([0-9a-f-]{36})(?:\.([\w-]+))?\.png$/

/**
 * The languages whose letters our font has: what we say ourselves is in English for the others, since a machine may
 * have no font for them.
 */
const DRAWN: readonly Locale[] = LOCALES.filter((locale) => !['ar', 'ja', 'ko', 'zh-Hans'].includes(locale))

/**
 * Pictures of links: of an item (`i-<id>.png`), a collection (`c-<id>.png`), and any gift of an organization (`g-<its
 * id>.png`); in a language with its tag (`i-<id>.de.png`).
 */
export const GET = pictureRoute(async (request, name) => {
  const [, kind, id, tag] = NAME.exec(name) ?? []
  const locale = LOCALES.find((each) => each === tag)
  const isKnown = kind && id && (tag === undefined || locale)
  const preview = isKnown ? await previews[kind as keyof typeof previews](id, locale) : null
  const body = preview && (await previewPictureOf(preview))
  if (!body) return noPicture('picture')
  return pictureAnswer(request, {
    body,
    contentType: 'image/png',
    cacheControl: 'public, max-age=300',
    etag: `"${createHash('sha256').update(body).digest('base64url').slice(0, 27)}"`,
  })
})

const previews = {
  async i(id: string, locale: Locale | undefined): Promise<LinkPreview | null> {
    const item = await readItem(id)
    const collection = item && (await readCollection(item.collection_id))
    if (!item || !collection) return null
    const seller = await sellerOf(collection.organization_id)
    const { image } = item.media
    const stem = image?.cid && image.full ? mediaStemOf(image.full, env.ORIGIN) : null
    const picture = stem ? { stem } : { svg: drawnArt(item.title, coloursOf(item.attributes)) }
    return { picture, title: titleOf(item, locale), ...lookOf(seller) }
  },
  async c(id: string): Promise<LinkPreview | null> {
    const collection = await readCollection(id)
    if (!collection) return null
    const stem = collection.image_url && mediaStemOf(collection.image_url, env.ORIGIN)
    const picture = stem ? { stem } : { svg: drawnArt(collection.name) }
    return { picture, title: collection.name, ...lookOf(await sellerOf(collection.organization_id)) }
  },
  async g(id: string, locale: Locale = DEFAULT_LOCALE): Promise<LinkPreview | null> {
    const seller = await sellerOf(id)
    if (!seller) return null
    const t = await getTranslations({
      locale: DRAWN.includes(locale) ? locale : DEFAULT_LOCALE,
      namespace: 'published.gift',
    })
    return { picture: { svg: drawnArt(seller.name) }, title: t('picture'), ...lookOf(seller) }
  },
}

const lookOf = (seller: Awaited<ReturnType<typeof sellerOf>>) => ({
  seller: seller?.name ?? null,
  colour: seller?.colour ?? null,
})
