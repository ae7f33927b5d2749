import { headers } from 'next/headers'
import { GET as getCollection } from '@/app/public/v1/collections/[collection_id]/route'
import { GET as getItem } from '@/app/public/v1/items/[item_id]/route'
import { GET as listItems } from '@/app/public/v1/items/route'
import { GET as getListing } from '@/app/public/v1/listings/[listing_id]/route'
import type { ListingView } from '@/components/checkout/listing'
import { readSubject } from '@/components/checkout/subject'
import type { Subject } from '@/components/checkout/subject'
import { env } from '@/lib/core/env'

type Handler = (request: Request, context: { params: Promise<Record<string, string>> }) => Promise<Response>

const handlers: [RegExp, string, Handler][] = [
  [/^\/listings\/([^/?]+)$/, 'listing_id', getListing as Handler],
  [/^\/items\/([^/?]+)$/, 'item_id', getItem as Handler],
  [/^\/collections\/([^/?]+)$/, 'collection_id', getCollection as Handler],
  [/^\/items(?=\?)/, '', listItems as Handler],
]

/** A listing and what it sells, exactly as the public operations answer, asked in process; null where there is none. */
export async function readOffer(listingId: string): Promise<{ listing: ListingView; subject: Subject; readAt: number } | null> {
  const client = (await headers()).get('x-client-address') ?? ''
  const read = async <Answer>(path: string): Promise<Answer | null> => {
    const found = handlers.find(([pattern]) => pattern.test(path))
    if (!found) throw new Error(`No operation answers ${path}.`)
    const [pattern, name, handler] = found
    const request = new Request(`${env.ORIGIN}/public/v1${path}`, { headers: { 'x-client-address': client } })
    const id = pattern.exec(path)?.[1]
    const response = await handler(request, { params: Promise.resolve(id ? { [name]: decodeURIComponent(id) } : {} as Record<string, string>) })
    if (response.status === 404) return null
    if (!response.ok) throw new Error(`${path} could not be read: ${response.status}.`)
    return (await response.json()) as Answer
  }
  const listing = await read<ListingView>(`/listings/${encodeURIComponent(listingId)}`)
  return listing && { listing, subject: await readSubject(listing, read), readAt: Date.now() }
}
