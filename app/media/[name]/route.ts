import { getMedia } from '@/lib/records/media/get-media'

/** Our copies of images. Their names are hashes of their content, so they never change. */
export async function GET(request: Request, { params }: { params: Promise<{ name: string }> }): Promise<Response> {
  const { name } = await params
  const file = await getMedia(name)
  if (!file)
    return new Response('There is no such file.', {
      status: 404,
      headers: { 'content-type': 'text/plain', 'cache-control': 'no-store' },
    })
  const etag = `"${name}"`
  const headers = {
    'content-type': file.contentType,
    'cache-control': 'public, max-age=31536000, immutable',
    'x-content-type-options': 'nosniff',
    'content-security-policy': "default-src 'none'; sandbox",
    'access-control-allow-origin': '*',
    'cross-origin-resource-policy': 'cross-origin',
    etag,
  }
  const known =
    request.headers
      .get('if-none-match')
      ?.split(',')
      .map((tag) => tag.trim().replace(/^W\//, '')) ?? []
  if (known.includes(etag) || known.includes('*')) return new Response(null, { status: 304, headers })
  return new Response(new Uint8Array(file.bytes), { headers })
}
