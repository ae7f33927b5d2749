import { setTimeout as wait } from 'node:timers/promises'
import { Agent, request } from 'undici'
import { EgressRefused, type Poster, type Target } from './egress.ts'
import { type Resolve, resolveReachableHost, pinnedLookup } from './reachable-host.ts'

const MAX_ANSWER_BYTES = 4096
const CHECK_TIMEOUT_MS = 3_000

/**
 * The adapter over undici. Each post resolves the name once, validates all its addresses and connects to a validated
 * one.
 * @param allow private ranges that may be reached (EGRESS_ALLOW); plain http only there.
 * @param resolve the resolver; the system's unless given.
 */
export function guardedPoster(allow: readonly string[], resolve?: Resolve): Poster {
  async function targetOf(url: URL): Promise<Target> {
    if (url.protocol !== 'https:' && url.protocol !== 'http:') throw notHttps()
    if (url.username || url.password)
      throw new EgressRefused('An address with a name or password in it is not posted to.')
    const target = await resolveReachableHost(url.hostname, allow, resolve)
    if (url.protocol === 'http:' && !target.allowed) throw notHttps()
    return target
  }

  return {
    async assertUrl(text) {
      if (!URL.canParse(text)) throw new EgressRefused('This is not a web address.')
      const url = new URL(text)
      const timer = new AbortController()
      const late = wait(CHECK_TIMEOUT_MS, undefined, { signal: timer.signal }).then(() =>
        Promise.reject(new Error('The name server takes too long.')),
      )
      await Promise.race([targetOf(url), late])
        .catch((error: unknown) => {
          if (error instanceof EgressRefused) throw error
          // A name that doesn't resolve now is validated when it is posted to; plain http needs a validated private
          // address.
          if (url.protocol !== 'https:') throw notHttps()
        })
        .finally(() => {
          timer.abort()
          late.catch(() => undefined)
        })
    },

    async post(text, { headers, body, timeoutMs }) {
      const begun = performance.now()
      const signal = AbortSignal.timeout(timeoutMs)
      const url = new URL(text)
      const target = await Promise.race([targetOf(url), rejectOnAbort(signal)])
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

const notHttps = () =>
  new EgressRefused(
    'Only https addresses are posted to. Who runs this installation can allow plain http to a range with EGRESS_ALLOW.',
  )

const rejectOnAbort = (signal: AbortSignal) =>
  new Promise<never>((_, reject) =>
    signal.addEventListener('abort', () => reject(signal.reason as Error), { once: true }),
  )

/**
 * The first bytes of the body as text. The status is known already, so a body that breaks off or never ends is no
 * error.
 */
async function beginningOf(body: AsyncIterable<Uint8Array>): Promise<string> {
  const chunks: Uint8Array[] = []
  let bytes = 0
  try {
    for await (const chunk of body) {
      chunks.push(chunk)
      bytes += chunk.length
      if (bytes >= MAX_ANSWER_BYTES) break
    }
  } catch {
    // what was received is returned
  }
  // A character cut in half, and NUL, which PostgreSQL text can't hold, are removed.
  return new TextDecoder().decode(Buffer.concat(chunks).subarray(0, MAX_ANSWER_BYTES)).replace(/[\0\uFFFD]/g, '')
}
