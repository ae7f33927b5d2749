import { lookup } from 'node:dns/promises'
import { isIP } from 'node:net'
import ipaddr from 'ipaddr.js'
import { Agent, request } from 'undici'
import { type Fetcher, FetchRefused } from './storage.ts'

const MOST_BYTES = 25 * 1024 * 1024
const PATIENCE_MS = 15_000
const MOST_REDIRECTS = 3

type Ip = ipaddr.IPv4 | ipaddr.IPv6
type Target = { address: string; family: number }

/** Whether an address may be reached: everybody's internet, or a range the operator allows. */
export function isReachable(text: string, allow: readonly string[]): 'public' | 'allowed' | false {
  const ip = parsed(text)
  if (!ip) return false
  if (allow.some((range) => isWithin(ip, range))) return 'allowed'
  return ip.range() === 'unicast' ? 'public' : false
}

/** An IPv4 address in IPv6 clothes counts as what it is. */
const parsed = (text: string): Ip | null => (ipaddr.isValid(text) ? ipaddr.process(text) : null)

function isWithin(ip: Ip, range: string): boolean {
  const [network, bits] = range.includes('/') ? ipaddr.parseCIDR(range) : [ipaddr.process(range), null]
  return network.kind() === ip.kind() && ip.match(network, bits ?? (network.kind() === 'ipv4' ? 32 : 128))
}

/**
 * Fetches addresses that strangers chose. The name is resolved once, every answer is judged, and the connection goes to the
 * judged address itself, so that a name can't change its mind in between.
 * @param allow private ranges that may be reached after all; plain http only there.
 */
export function guardedFetcher(allow: readonly string[]): Fetcher {
  async function targetOf(url: URL): Promise<Target> {
    const name = url.hostname.replace(/^\[|\]$/g, '')
    const found = isIP(name) ? [{ address: name, family: isIP(name) }] : await lookup(name, { all: true })
    const verdicts = found.map(({ address }) => isReachable(address, allow))
    if (found.length === 0 || verdicts.includes(false)) throw new FetchRefused('This address is not on the public internet.')
    const secure = url.protocol === 'https:' || (url.protocol === 'http:' && verdicts.every((verdict) => verdict === 'allowed'))
    if (!secure) throw new FetchRefused('Only https addresses are fetched.')
    if (url.username || url.password) throw new FetchRefused('An address with a password in it is not fetched.')
    return found[0]!
  }

  async function fetchOnce(url: URL, signal: AbortSignal): Promise<Uint8Array | URL> {
    const target = await targetOf(url)
    const agent = new Agent({ connect: { lookup: (_name, options, done) => answerLookup(target, options, done) } })
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

type LookupDone = (error: null, address: string | Target[], family?: number) => void
const answerLookup = (target: Target, options: { all?: boolean | undefined }, done: unknown) =>
  options.all ? (done as LookupDone)(null, [target]) : (done as LookupDone)(null, target.address, target.family)

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
