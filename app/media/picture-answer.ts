type Picture = { body: string | Uint8Array; contentType: string; cacheControl: string; etag: string }

/** A picture for any page or mail, or only that it hasn't changed. */
export function pictureAnswer(request: Request, { body, contentType, cacheControl, etag }: Picture): Response {
  const headers = {
    'content-type': contentType,
    'cache-control': cacheControl,
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
  return new Response(typeof body === 'string' ? body : new Uint8Array(body), { headers })
}

/** Says that there is no such picture. */
export const noPicture = (what: string): Response =>
  new Response(`There is no such ${what}.`, {
    status: 404,
    headers: { 'content-type': 'text/plain', 'cache-control': 'no-store' },
  })
