import type { Metadata } from 'next'
import { getLocale, getTranslations } from 'next-intl/server'
import { alternatesOf } from '@/app/language/alternates'
import { env } from '@/lib/core/env'

/**
 * The preview that other sites show of a link to a public page. `picture`: the name of one below /media/preview, if
 * any.
 */
export async function previewOf({
  title,
  description,
  path,
  picture,
}: {
  title: string
  description: string
  path: string
  picture: string | null
}): Promise<Metadata> {
  const alternates = await alternatesOf(path)
  const images = picture === null ? [] : [imageOf(picture, title)]
  return {
    title,
    description,
    alternates,
    openGraph: { type: 'website', title, description, url: alternates.canonical, images },
    twitter: { card: picture === null ? 'summary' : 'summary_large_image', title, description, images },
  }
}

/** The preview that other sites show of a link to a gift: who gives. The link itself is a secret and isn't named. */
export async function giftPreviewOf({ id, name }: { id: string; name: string }): Promise<Metadata> {
  const t = await getTranslations('published.gift')
  const title = t('title', { name })
  const description = t('lead')
  const images = [imageOf(`g-${id}.${await getLocale()}`, title)]
  return {
    openGraph: { title, description, images },
    twitter: { card: 'summary_large_image', title, description, images },
  }
}

const imageOf = (picture: string, alt: string) => ({
  url: `${env.ORIGIN}/media/preview/${picture}.png`,
  width: 1200,
  height: 630,
  alt,
})
