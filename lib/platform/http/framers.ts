import { systemClient } from '../../db/client.ts'

const KEPT_MS = 30_000
const MOST_KEPT = 1_000
const kept = new Map<string, { framers: string[]; until: number }>()

/**
 * The origins that may show a page in a frame: those the seller has named, for the pages of its listings and of their purchases
 * when they ask for it (`?embed=1`); nobody for anything else. Kept for half a minute, since every answer needs it.
 */
export async function framersOf(url: string): Promise<readonly string[]> {
  const page = embeddedPageIn(url)
  if (!page) return []
  const known = kept.get(page.key)
  if (known && known.until > Date.now()) return known.framers
  // While the database is away nobody may; the page itself says what is wrong.
  const framers = (await embedOriginsOf(page).catch(() => [])).filter(isOrigin)
  if (kept.size >= MOST_KEPT) kept.clear()
  kept.set(page.key, { framers, until: Date.now() + KEPT_MS })
  return framers
}

type EmbeddedPage = { kind: 'listing' | 'purchase'; id: string; key: string }

/** The listing or purchase whose page is asked for as an embedded one. */
export function embeddedPageIn(url: string): EmbeddedPage | null {
  const [path = '', query = ''] = url.split('?', 2)
  if (new URLSearchParams(query).get('embed') !== '1') return null
  const found = /^\/([lp])\/([0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12})\/?$/i.exec(path)
  const id = found?.[2]?.toLowerCase()
  return id ? { kind: found?.[1] === 'l' ? 'listing' : 'purchase', id, key: `${found?.[1]} ${id}` } : null
}

async function embedOriginsOf({ kind, id }: EmbeddedPage): Promise<string[]> {
  const db = systemClient()
  const owner =
    kind === 'listing'
      ? await db.listing.findUnique({ where: { id }, select: { organizationId: true } })
      : await db.purchaseIntent.findUnique({ where: { id }, select: { organizationId: true } })
  if (!owner) return []
  const organization = await db.organization.findUnique({
    where: { id: owner.organizationId },
    select: { embedOrigins: true },
  })
  return organization?.embedOrigins ?? []
}

/** Whatever else stands in the settings, it can't add words to the policy. */
const isOrigin = (written: string) => /^https?:\/\/[a-z0-9.-]+(:\d+)?$/i.test(written)
