import { promisify } from 'node:util'
import { gunzip } from 'node:zlib'
import { Agent, request } from 'undici'
import { EgressRefused, type Target } from '../egress/egress.ts'
import { type Resolve, resolveReachableHost, pinnedLookup } from '../egress/reachable-host.ts'
import { readBounded } from '../../core/read-bounded.ts'
import { textIn } from '../../core/text-in.ts'
import { type Fetcher, FetchRefused } from './storage.ts'

/** `what` and `maxText` are words of the error messages. */
type Kind = { what: string; accept: string; maxBytes: number; maxText: string }
const IMAGE: Kind = { what: 'image', accept: 'image/*', maxBytes: 25 * 1024 * 1024, maxText: '25 MiB' }
const TEXT: Kind = {
  what: 'document',
  accept: 'application/json, text/plain;q=0.9',
  maxBytes: 1024 * 1024,
  maxText: '1 MiB',
}
const FETCH_TIMEOUT_MS = 15_000
const MAX_REDIRECTS = 3

/**
 * The adapter over undici. Each hop resolves its name once, validates all its addresses and connects to a validated
 * one, so that DNS rebinding has no effect.
 * @param allow private ranges that may be reached (EGRESS_ALLOW); plain http only there.
 * @param resolve the resolver; the system's unless given.
 */
export function guardedFetcher(allow: readonly string[], resolve?: Resolve): Fetcher {
  async function targetOf(url: URL): Promise<Target> {
    const target = await resolveReachableHost(url.hostname, allow, resolve).catch((error: unknown) => {
      throw error instanceof EgressRefused ? new FetchRefused(error.message) : error
    })
    const secure = url.protocol === 'https:' || (url.protocol === 'http:' && target.allowed)
    if (!secure) throw new FetchRefused('Only https addresses are fetched.')
    if (url.username || url.password) throw new FetchRefused('An address with a password in it is not fetched.')
    return target
  }

  /** One request: its body, or the URL of a redirect. */
  async function fetchOnce(url: URL, kind: Kind, signal: AbortSignal, json?: string): Promise<Uint8Array | URL> {
    const target = await targetOf(url)
    const agent = new Agent({ connect: { lookup: pinnedLookup(target) } })
    try {
      const response = await request(url, {
        dispatcher: agent,
        signal,
        headers: {
          accept: kind.accept,
          'user-agent': 'Vitrine',
          ...(json !== undefined && { 'content-type': 'application/json' }),
        },
        ...(json !== undefined && { method: 'POST', body: json }),
      })
      const { location } = response.headers
      if (response.statusCode >= 300 && response.statusCode < 400 && location && json === undefined) {
        response.body.on('error', () => undefined).destroy()
        return new URL(String([location].flat()[0]), url)
      }
      if (response.statusCode >= 500 || response.statusCode === 429)
        throw new Error(`The ${kind.what}'s server answers ${response.statusCode}.`)
      if (response.statusCode !== 200)
        throw new FetchRefused(`The ${kind.what}'s server answers ${response.statusCode}.`)
      return await unpacked(await readBounded(response.body, kind.maxBytes, () => tooLarge(kind)), kind)
    } finally {
      await agent.destroy()
    }
  }

  async function fetchWhole(given: string, kind: Kind, json?: string): Promise<Uint8Array> {
    const signal = AbortSignal.timeout(FETCH_TIMEOUT_MS)
    let url = new URL(given)
    for (let hops = 0; hops <= MAX_REDIRECTS; hops++) {
      const result = await fetchOnce(url, kind, signal, json)
      if (!(result instanceof URL)) return result
      url = result
    }
    throw new FetchRefused(`The ${kind.what} is behind too many redirects.`)
  }

  return {
    fetchImage: (url) => fetchWhole(url, IMAGE),
    fetchText: async (url, json) => textIn(await fetchWhole(url, TEXT, json)),
  }
}

const tooLarge = ({ what, maxText }: Kind) => new FetchRefused(`The ${what} is larger than ${maxText}.`)

/**
 * Servers send files compressed without being asked to, and some don't even say so. The limit holds for what they
 * contain, too.
 */
async function unpacked(bytes: Buffer, kind: Kind): Promise<Uint8Array> {
  if (bytes[0] !== 0x1f || bytes[1] !== 0x8b) return bytes
  try {
    return await promisify(gunzip)(bytes, { maxOutputLength: kind.maxBytes })
  } catch (error) {
    if ((error as { code?: unknown }).code === 'ERR_BUFFER_TOO_LARGE') throw tooLarge(kind)
    throw new FetchRefused(`The ${kind.what} is compressed and can’t be unpacked.`)
  }
}
