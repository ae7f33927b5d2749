import { createElement } from 'react'
import { drawArt } from '@/components/ui/art'
import { coloursOf } from '@/components/ui/colours'
import { withPlainColours } from '@/components/ui/plain-colours'
import { svgText } from '@/components/ui/svg-text'
import { authenticate } from '@/lib/platform/auth/authenticate'
import { AppError } from '@/lib/core/errors'
import { isUuid } from '@/lib/core/id'
import { clientAddressOf, requestIdOf } from '@/lib/platform/http/serve'
import { getShownItem } from '@/lib/catalog/items/get-shown-item'

/** The generated art of an item as an SVG; null where nobody may see such an item. */
export async function drawItem(request: Request, id: string): Promise<string | null> {
  if (!isUuid(id)) return null
  const ctx = await authenticate(
    'anonymous',
    request,
    {},
    { requestId: requestIdOf(request), clientAddress: clientAddressOf(request) },
  )
  const item = await getShownItem(ctx, id).catch((error: unknown) => {
    if (error instanceof AppError && error.status === 404) return null
    throw error
  })
  return item && drawnArt(item.title, coloursOf(item.attributes))
}

/** Our art for a title as an SVG. `colours`: hues that it has to use. */
export function drawnArt(title: string, colours: (number | null)[] = []): string {
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
