import { getMedia } from '@/lib/records/media/get-media'
import { noPicture, pictureAnswer } from '../picture-answer'

/** Our copies of images. Their names are hashes of their content, so they never change. */
export async function GET(request: Request, { params }: { params: Promise<{ name: string }> }): Promise<Response> {
  const { name } = await params
  const file = await getMedia(name)
  if (!file) return noPicture('file')
  return pictureAnswer(request, {
    body: file.bytes,
    contentType: file.contentType,
    cacheControl: 'public, max-age=31536000, immutable',
    etag: `"${name}"`,
  })
}
