import { createHash } from 'node:crypto'
import { noPicture, pictureAnswer, pictureRoute } from '../../picture-answer'
import { drawItem } from '../draw-item'

/**
 * The generated art of an item without an image, as our pages draw it: `<item id>.svg`, for wallets and marketplaces.
 */
export const GET = pictureRoute(async (request, name) => {
  const svg = await drawItem(request, /^(.+)\.svg$/.exec(name)?.[1] ?? '')
  if (svg === null) return noPicture('picture')
  return pictureAnswer(request, {
    body: svg,
    contentType: 'image/svg+xml; charset=utf-8',
    cacheControl: 'public, max-age=300',
    etag: `"${createHash('sha256').update(svg).digest('base64url').slice(0, 27)}"`,
  })
})
