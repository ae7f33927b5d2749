import { asAppError, logFailure, problem } from '@/lib/platform/http/problem'
import { requestIdOf } from '@/lib/platform/http/serve'

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

/**
 * The handler of a route that gives pictures by their names. What can't be read now is told as such, so that nobody
 * takes it for gone.
 */
export const pictureRoute =
  (answer: (request: Request, name: string) => Promise<Response>) =>
  async (request: Request, { params }: { params: Promise<{ name: string }> }): Promise<Response> => {
    try {
      return await answer(request, (await params).name)
    } catch (error) {
      const requestId = requestIdOf(request)
      const failure = asAppError(error)
      logFailure(failure, request, requestId)
      const response = problem(failure, requestId)
      response.headers.set('cache-control', 'no-store')
      return response
    }
  }
