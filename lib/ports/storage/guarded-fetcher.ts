import { Agent, request } from 'undici'
import { EgressRefused, type Target } from '../egress/egress.ts'
import { resolveReachableHost, pinnedLookup } from '../egress/reachable-host.ts'
import { type Fetcher, FetchRefused } from './storage.ts'

type Wanted = { what: string; accept: string; most: number; mostSaid: string }
const IMAGE: Wanted = { what: 'image', accept: 'image/*', most: 25 * 1024 * 1024, mostSaid: '25 MiB' }
const TEXT: Wanted = {
  what: 'document',
  accept: 'application/json, text/plain;q=0.9',
  most: 1024 * 1024,
  mostSaid: '1 MiB',
}
const PATIENCE_MS = 15_000
const MOST_REDIRECTS = 3

/**
 * Fetches addresses that strangers chose. The name is resolved once, every answer is judged, and the connection goes to the
 * judged address itself, so that a name can't change its mind in between.
 * @param allow private ranges that may be reached after all; plain http only there.
 */
export function guardedFetcher(allow: readonly string[]): Fetcher {
  async function targetOf(url: URL): Promise<Target> {
    const target = await resolveReachableHost(url.hostname, allow).catch((error: unknown) => {
      throw error instanceof EgressRefused ? new FetchRefused(error.message) : error
    })
    const secure = url.protocol === 'https:' || (url.protocol === 'http:' && target.allowed)
    if (!secure) throw new FetchRefused('Only https addresses are fetched.')
    if (url.username || url.password) throw new FetchRefused('An address with a password in it is not fetched.')
    return target
  }

  async function fetchOnce(url: URL, wanted: Wanted, signal: AbortSignal): Promise<Uint8Array | URL> {
    const target = await targetOf(url)
    const agent = new Agent({ connect: { lookup: pinnedLookup(target) } })
    try {
      const response = await request(url, {
        dispatcher: agent,
        signal,
        headers: { accept: wanted.accept, 'user-agent': 'Vitrine' },
      })
      const { location } = response.headers
      if (response.statusCode >= 300 && response.statusCode < 400 && location) {
        response.body.on('error', () => undefined).destroy()
        return new URL(String([location].flat()[0]), url)
      }
      if (response.statusCode >= 500 || response.statusCode === 429)
        throw new Error(`The ${wanted.what}'s server answers ${response.statusCode}.`)
      if (response.statusCode !== 200)
        throw new FetchRefused(`The ${wanted.what}'s server answers ${response.statusCode}.`)
      return await bytesOf(response.body, wanted)
    } finally {
      await agent.destroy()
    }
  }

  async function fetchWhole(given: string, wanted: Wanted): Promise<Uint8Array> {
    const signal = AbortSignal.timeout(PATIENCE_MS)
    let url = new URL(given)
    for (let hops = 0; hops <= MOST_REDIRECTS; hops++) {
      const result = await fetchOnce(url, wanted, signal)
      if (!(result instanceof URL)) return result
      url = result
    }
    throw new FetchRefused(`The ${wanted.what} is behind too many redirects.`)
  }

  return {
    fetchImage: (url) => fetchWhole(url, IMAGE),
    fetchText: async (url) => Buffer.from(await fetchWhole(url, TEXT)).toString('utf8'),
  }
}

async function bytesOf(body: AsyncIterable<Uint8Array>, { what, most, mostSaid }: Wanted): Promise<Uint8Array> {
  const chunks: Uint8Array[] = []
  let size = 0
  for await (const chunk of body) {
    size += chunk.length
    if (size > most) throw new FetchRefused(`The ${what} is larger than ${mostSaid}.`)
    chunks.push(chunk)
  }
  return Buffer.concat(chunks)
}
