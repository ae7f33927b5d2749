import { setTimeout as wait } from 'node:timers/promises'
import { Agent, request } from 'undici'
import { EgressRefused, type Poster, type Target } from './egress.ts'
import { resolveReachableHost, pinnedLookup } from './reachable-host.ts'

const MOST_ANSWER_BYTES = 4096
const JUDGING_MS = 3_000

/**
 * Posts to addresses that strangers chose. The name is resolved once for each post, every answer is judged, and the connection
 * goes to the judged address itself, so that a name can't change its mind in between.
 * @param allow private ranges that may be reached after all; plain http only there.
 */
export function guardedPoster(allow: readonly string[]): Poster {
  async function targetOf(url: URL): Promise<Target> {
    if (url.protocol !== 'https:' && url.protocol !== 'http:') throw notHttps()
    if (url.username || url.password)
      throw new EgressRefused('An address with a name or password in it is not posted to.')
    const target = await resolveReachableHost(url.hostname, allow)
    if (url.protocol === 'http:' && !target.allowed) throw notHttps()
    return target
  }

  return {
    async assertUrl(text) {
      if (!URL.canParse(text)) throw new EgressRefused('This is not a web address.')
      const url = new URL(text)
      const patience = new AbortController()
      const late = wait(JUDGING_MS, undefined, { signal: patience.signal }).then(() =>
        Promise.reject(new Error('The name server takes too long.')),
      )
      await Promise.race([targetOf(url), late])
        .catch((error: unknown) => {
          if (error instanceof EgressRefused) throw error
          // A name that doesn't resolve today is judged when it is posted to; plain http is for judged addresses only.
          if (url.protocol !== 'https:') throw notHttps()
        })
        .finally(() => {
          patience.abort()
          late.catch(() => undefined)
        })
    },

    async post(text, { headers, body, timeoutMs }) {
      const begun = performance.now()
      const signal = AbortSignal.timeout(timeoutMs)
      const url = new URL(text)
      const target = await Promise.race([targetOf(url), ended(signal)])
      const agent = new Agent({ connect: { lookup: pinnedLookup(target) } })
      try {
        const response = await request(url, { method: 'POST', dispatcher: agent, signal, headers, body })
        const answer = await beginningOf(response.body)
        return { status: response.statusCode, answer, milliseconds: Math.round(performance.now() - begun) }
      } finally {
        await agent.destroy()
      }
    },
  }
}

const notHttps = () => new EgressRefused('Only https addresses are posted to.')

const ended = (signal: AbortSignal) =>
  new Promise<never>((_, reject) =>
    signal.addEventListener('abort', () => reject(signal.reason as Error), { once: true }),
  )

/** The status has been said by now: an answer that breaks off, or never ends, takes nothing back. */
async function beginningOf(body: AsyncIterable<Uint8Array>): Promise<string> {
  const chunks: Uint8Array[] = []
  let bytes = 0
  try {
    for await (const chunk of body) {
      chunks.push(chunk)
      bytes += chunk.length
      if (bytes >= MOST_ANSWER_BYTES) break
    }
  } catch {
    // what came is kept
  }
  // Half a character at the cut, and what a database can't hold as text, is left out.
  return new TextDecoder().decode(Buffer.concat(chunks).subarray(0, MOST_ANSWER_BYTES)).replace(/[\0\uFFFD]/g, '')
}
