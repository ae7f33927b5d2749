import { headers } from 'next/headers'
import { env } from '@/lib/core/env'
import type { RouteContext } from '@/lib/platform/http/serve'

type Get = (request: Request, route: RouteContext) => Promise<Response>

/**
 * Reads from a route of the public API in process, for the client that opened a page; null for what isn't there and for
 * a malformed query.
 */
export async function getFromPage<T>(get: Get, path: string, params: Record<string, string> = {}): Promise<T | null> {
  const clientAddress = (await headers()).get('x-client-address') ?? ''
  const request = new Request(env.ORIGIN + path, { headers: { 'x-client-address': clientAddress } })
  const response = await get(request, { params: Promise.resolve(params) })
  if (response.status === 404 || response.status === 400) return null
  if (!response.ok) throw new Error(`${path} could not be read: ${response.status}.`)
  return (await response.json()) as T
}
