import { getMedia } from '@/lib/records/media/get-media'
import { noPicture, pictureAnswer, pictureRoute } from '../picture-answer'

/** Our copies of images. Their names are hashes of their content, so they never change. */
export const GET = pictureRoute(async (request, name) => {
  const file = await getMedia(name)
  if (!file) return noPicture('file')
  return pictureAnswer(request, {
    body: file.bytes,
    contentType: file.contentType,
    cacheControl: 'public, max-age=31536000, immutable',
    etag: `"${name}"`,
  })
})
