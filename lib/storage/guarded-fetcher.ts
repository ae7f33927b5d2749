import { Agent, request } from 'undici'
import { EgressRefused, type Target } from '../egress/egress.ts'
import { judgeHost, lookupOf } from '../egress/judge.ts'
import { type Fetcher, FetchRefused } from './storage.ts'

const MOST_BYTES = 25 * 1024 * 1024
const PATIENCE_MS = 15_000
const MOST_REDIRECTS = 3

/**
 * Fetches addresses that strangers chose. The name is resolved once, every answer is judged, and the connection goes to the
 * judged address itself, so that a name can't change its mind in between.
 * @param allow private ranges that may be reached after all; plain http only there.
 */
export function guardedFetcher(allow: readonly string[]): Fetcher {
  async function targetOf(url: URL): Promise<Target> {
    const target = await judgeHost(url.hostname, allow).catch((error: unknown) => {
      throw error instanceof EgressRefused ? new FetchRefused(error.message) : error
    })
    const secure = url.protocol === 'https:' || (url.protocol === 'http:' && target.allowed)
    if (!secure) throw new FetchRefused('Only https addresses are fetched.')
    if (url.username || url.password) throw new FetchRefused('An address with a password in it is not fetched.')
    return target
  }

  async function fetchOnce(url: URL, signal: AbortSignal): Promise<Uint8Array | URL> {
    const target = await targetOf(url)
    const agent = new Agent({ connect: { lookup: lookupOf(target) } })
    try {
      const response = await request(url, { dispatcher: agent, signal, headers: { accept: 'image/*', 'user-agent': 'Vitrine' } })
      const { location } = response.headers
      if (response.statusCode >= 300 && response.statusCode < 400 && location) {
        response.body.on('error', () => undefined).destroy()
        return new URL(String([location].flat()[0]), url)
      }
      if (response.statusCode >= 500 || response.statusCode === 429) throw new Error(`The image's server answers ${response.statusCode}.`)
      if (response.statusCode !== 200) throw new FetchRefused(`The image's server answers ${response.statusCode}.`)
      return await bytesOf(response.body)
    } finally {
      await agent.destroy()
    }
  }

  return {
    async fetchImage(given) {
      const signal = AbortSignal.timeout(PATIENCE_MS)
      let url = new URL(given)
      for (let hops = 0; hops <= MOST_REDIRECTS; hops++) {
        const result = await fetchOnce(url, signal)
        if (!(result instanceof URL)) return result
        url = result
      }
      throw new FetchRefused('The image is behind too many redirects.')
    },
  }
}

async function bytesOf(body: AsyncIterable<Uint8Array>): Promise<Uint8Array> {
  const chunks: Uint8Array[] = []
  let size = 0
  for await (const chunk of body) {
    size += chunk.length
    if (size > MOST_BYTES) throw new FetchRefused('The image is larger than 25 MiB.')
    chunks.push(chunk)
  }
  return Buffer.concat(chunks)
}
