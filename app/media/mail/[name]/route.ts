import { createHash } from 'node:crypto'
import { findMailPicture, mailPictureOfDrawing } from '@/lib/records/media/mail-pictures'
import { drawItem } from '../../art/draw-item'
import { noPicture, pictureAnswer, pictureRoute } from '../../picture-answer'

/** Pictures for mails, as JPEG or PNG: of a stored file by its CID, or the generated art of an item by its id. */
export const GET = pictureRoute(async (request, name) => {
  const stored = await findMailPicture(name)
  if (stored)
    return pictureAnswer(request, {
      body: stored.bytes,
      contentType: stored.contentType,
      cacheControl: 'public, max-age=31536000, immutable',
      etag: `"${name}"`,
    })
  const svg = await drawItem(request, /^(.+)\.jpg$/.exec(name)?.[1] ?? '')
  const drawn = svg === null ? null : await mailPictureOfDrawing(svg)
  if (!drawn) return noPicture('picture')
  return pictureAnswer(request, {
    body: drawn.bytes,
    contentType: drawn.contentType,
    cacheControl: 'public, max-age=300',
    etag: `"${createHash('sha256').update(drawn.bytes).digest('base64url').slice(0, 27)}"`,
  })
})
