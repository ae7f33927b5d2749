import type { Metadata } from 'next'
import { env } from '@/lib/core/env'

/** What other sites show of a link to a public page. `picture`: the name of one below /media/preview, if any. */
export function previewOf({
  title,
  description,
  path,
  picture,
}: {
  title: string
  description: string
  path: string
  picture: string | null
}): Metadata {
  const url = `${env.ORIGIN}${path}`
  const images = picture === null ? [] : [imageOf(picture, title)]
  return {
    title,
    description,
    alternates: { canonical: url },
    openGraph: { type: 'website', title, description, url, images },
    twitter: { card: picture === null ? 'summary' : 'summary_large_image', title, description, images },
  }
}

/** What other sites show of a link to a gift: who gives. The link itself is a secret and isn't named. */
export function giftPreviewOf({ id, name }: { id: string; name: string }): Metadata {
  const title = `A gift for you from ${name}`
  const description = 'Open it with your mailbox. It takes a minute.'
  const images = [imageOf(`g-${id}`, title)]
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
