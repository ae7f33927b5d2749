import { EMBED_ORIGIN } from '../api/embed-origin.ts'

const CACHE_MS = 30_000
const MAX_CACHED = 1_000

/** The page of a listing or of a purchase, requested to be shown in a frame (`?embed=1`). */
export type EmbeddedPage = { kind: 'listing' | 'purchase'; id: string }

/**
 * Gives the origins that may show the page of a URL in a frame: none, except for embedded pages. `findOrigins` is what
 * the seller of that page allows; its answer is cached for 30 seconds, since every request needs it.
 */
export function frameAncestors(
  findOrigins: (page: EmbeddedPage) => Promise<readonly string[]>,
): (url: string) => Promise<readonly string[]> {
  const cache = new Map<string, { origins: readonly string[]; until: number }>()
  return async (url) => {
    const page = embeddedPageIn(url)
    if (!page) return []
    const key = `${page.kind} ${page.id}`
    const known = cache.get(key)
    if (known && known.until > performance.now()) return known.origins
    // While the database is down no origin is allowed; the page itself reports the failure.
    const origins = (await findOrigins(page).catch(() => [])).filter((origin) => EMBED_ORIGIN.test(origin))
    if (cache.size >= MAX_CACHED) cache.clear()
    cache.set(key, { origins, until: performance.now() + CACHE_MS })
    return origins
  }
}

/** The embedded page that a path with query names, or null. */
export function embeddedPageIn(url: string): EmbeddedPage | null {
  if (!/^\/[lp]\//.test(url)) return null
  const [path = '', query = ''] = url.split('?', 2)
  if (new URLSearchParams(query).get('embed') !== '1') return null
  const found = /^\/([lp])\/([0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12})\/?$/i.exec(path)
  const id = found?.[2]?.toLowerCase()
  return id ? { kind: found?.[1] === 'l' ? 'listing' : 'purchase', id } : null
}
