import fs from 'node:fs'
import path from 'node:path'
import type { Stack } from './sides.ts'

const app = path.resolve(import.meta.dirname, '../../../app')
/** In place of an id that the demo has none of: its page is answered all the same. */
const UNKNOWN = '00000000-0000-4000-8000-000000000000'

/**
 * Asks once for every page, signed in, and for every GET of both interfaces, with a key, so that all code of the web
 * process is loaded.
 */
export async function visitEveryRoute(stack: Stack): Promise<number> {
  const cookie = await signIn(stack)
  const { demo, origin, api_key } = stack
  const ids: Record<string, string | null> = {
    collectionId: demo.collection_id,
    collection_id: demo.collection_id,
    itemId: demo.item_ids[0]!,
    item_id: demo.item_ids[0]!,
    listingId: demo.listings.free_mint!,
    listing_id: demo.listings.free_mint!,
    claimToken: demo.claim_url.split('/').at(-1)!,
    claim_token: demo.claim_url.split('/').at(-1)!,
    token_id: '1',
  }
  const fill = (text: string, name: RegExp) => text.replace(name, (_, id: string) => ids[id] ?? UNKNOWN)
  const visit = async (route: string, headers: Record<string, string>) => {
    const answer = await fetch(origin + route, { headers })
    await answer.arrayBuffer()
    if (answer.status >= 500) throw new Error(`${route}: ${answer.status}`)
  }
  const pages = fs.globSync('**/page.tsx', { cwd: app }).map((file) => fill(`/${path.dirname(file)}`, /\[(\w+)\]/g))
  for (const page of pages) await visit(page, { cookie })
  const calls: string[] = []
  for (const [document, base] of [
    ['admin', ''],
    ['public', '/public'],
  ]) {
    const { paths } = (await (await fetch(`${origin}/openapi/${document}.json`)).json()) as {
      paths: Record<string, { get?: object }>
    }
    for (const [route, { get }] of Object.entries(paths)) if (get) calls.push(base + fill(route, /\{(\w+)\}/g))
  }
  for (const call of calls) await visit(call, { authorization: `Bearer ${api_key}` })
  return pages.length + calls.length
}

async function signIn({ origin, sign_in_url }: Stack): Promise<string> {
  const { search } = new URL(sign_in_url)
  const answer = await fetch(`${origin}/api/auth/callback/email${search}`, {
    method: 'POST',
    headers: { origin },
    redirect: 'manual',
  })
  const cookies = answer.headers.getSetCookie().map((cookie) => cookie.split(';')[0]!)
  if (!cookies.some((cookie) => cookie.includes('session'))) throw new Error(`Not signed in: ${answer.status}`)
  return cookies.join('; ')
}
