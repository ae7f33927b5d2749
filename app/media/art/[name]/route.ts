import { createHash, randomUUID } from 'node:crypto'
import { createElement } from 'react'
import { drawArt } from '@/components/ui/art'
import { coloursOf } from '@/components/ui/colours'
import { withPlainColours } from '@/components/ui/plain-colours'
import { svgText } from '@/components/ui/svg-text'
import { authenticate } from '@/lib/platform/auth/authenticate'
import { AppError } from '@/lib/core/errors'
import { isUuid } from '@/lib/core/id'
import { clientAddressOf } from '@/lib/platform/http/serve'
import { getShownItem } from '@/lib/catalog/items/get-shown-item'

const nothing = () =>
  new Response('There is no such picture.', {
    status: 404,
    headers: { 'content-type': 'text/plain', 'cache-control': 'no-store' },
  })

/** The generated art of an item without an image, as our pages draw it: `<item id>.svg`, for wallets and marketplaces. */
export async function GET(request: Request, { params }: { params: Promise<{ name: string }> }): Promise<Response> {
  const id = /^(.+)\.svg$/.exec((await params).name)?.[1] ?? ''
  if (!isUuid(id)) return nothing()
  const ctx = await authenticate(
    'anonymous',
    request,
    {},
    { requestId: randomUUID(), clientAddress: clientAddressOf(request) },
  )
  const item = await getShownItem(ctx, id).catch((error: unknown) => {
    if (error instanceof AppError && error.status === 404) return null
    throw error
  })
  if (!item) return nothing()
  const svg = draw(item.title, coloursOf(item.attributes))
  const etag = `"${createHash('sha256').update(svg).digest('base64url').slice(0, 27)}"`
  const answer = {
    'content-type': 'image/svg+xml; charset=utf-8',
    'cache-control': 'public, max-age=300',
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
  if (known.includes(etag)) return new Response(null, { status: 304, headers: answer })
  return new Response(svg, { headers: answer })
}

function draw(title: string, colours: (number | null)[]): string {
  const frame = {
    xmlns: 'http://www.w3.org/2000/svg',
    width: 1200,
    height: 1200,
    viewBox: '0 0 400 400',
    role: 'img',
    'aria-label': title,
  }
  return withPlainColours(svgText(createElement('svg', frame, drawArt(title, colours, 'clip'))))
}
