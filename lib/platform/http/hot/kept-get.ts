import { now } from '../../../core/clock.ts'
import { notFound } from '../../../core/errors.ts'
import type { Value } from '../../../db/statements.ts'
import { ports } from '../../../ports/ports.ts'
import type { Endpoint, Input, Output } from '../../api/endpoint.ts'
import { acceptedEncodings, encodeBody, type Encoding, etagOf, knownEtag, MIN_ENCODED_BYTES } from '../encoding.ts'
import { asAppError, logFailure, problem } from '../problem.ts'
import { countRequest } from '../rate-limit.ts'
import { contentOf, contentTypeOf, CORS, pathAndQueryOf } from '../serve.ts'
import type { Direct, DirectAnswer, DirectRequest } from './direct.ts'
import type { Found, HotRead } from './hot-read.ts'
import { type KeptBody, keptBodies } from './kept-bodies.ts'
import { questions } from './questions.ts'

/**
 * Answers a public GET from a kept body while its version holds. PostgreSQL is asked for the version each time, so that no answer is older
 * than its question.
 */
export function keptGet<const E extends Endpoint, Row>(endpoint: E, read: HotRead<Input<E>, Row, Output<E>>): Direct {
  const versionOf = questions<object>(read.versions)
  const rowsOf = questions<Row>(read.rows)

  async function find(id: string, key: readonly Value[], input: Input<E>): Promise<KeptBody> {
    const kept = keptBodies.get(id)
    if (kept && (await versionOf(key))[0]?.version === kept.version && passedOf(kept.moments, now()) === kept.passed)
      return kept
    const rows = await rowsOf(key)
    if (rows.length === 0) {
      keptBodies.delete(id)
      throw notFound()
    }
    const fresh = await make(rows, input)
    keptBodies.set(id, fresh)
    return fresh
  }

  async function make(rows: Found<Row>[], input: Input<E>): Promise<KeptBody> {
    const at = now()
    const { text, etag } = contentOf(endpoint, await read.show(rows, input, { now: () => at, ports: ports() }))
    const moments = (read.momentsOf?.(rows) ?? []).flatMap((moment) => moment?.getTime() ?? [])
    return {
      version: rows[0]!.version,
      moments,
      passed: passedOf(moments, at),
      etag,
      body: Buffer.from(text),
      encoded: new Map(),
    }
  }

  /** null: the handler says what is wrong with it. */
  function inputOf(params: Record<string, string>, search: string): Input<E> | null {
    try {
      return pathAndQueryOf(endpoint, params, new URLSearchParams(search)) as Input<E>
    } catch {
      return null
    }
  }

  async function answer(
    { params, search, headers: sent, clientAddress }: DirectRequest,
    headers: Record<string, string>,
  ): Promise<DirectAnswer | null> {
    const input = inputOf(params, search)
    const key = input && read.keyOf(input)
    if (!key) return null
    Object.assign(headers, await countRequest('public-reads', clientAddress))
    const id = `${endpoint.id} ${JSON.stringify(key)}`
    const kept = await find(id, key, input)
    const accepted = kept.body.length < MIN_ENCODED_BYTES ? PLAIN : acceptedEncodings(sent['accept-encoding'])
    const encoding = accepted[0]!
    headers['cache-control'] = 'no-cache'
    if (kept.body.length >= MIN_ENCODED_BYTES) headers.vary = 'Accept-Encoding'
    const known = knownEtag(sent['if-none-match'], kept.etag, accepted)
    headers.etag = known ?? etagOf(kept.etag, encoding)
    if (known !== null) return { status: 304, headers, body: null }
    headers['content-type'] = contentTypeOf(endpoint)
    if (encoding !== 'identity') headers['content-encoding'] = encoding
    return { status: 200, headers, body: await inEncoding(id, kept, encoding) }
  }

  return async (request) => {
    const headers: Record<string, string> = { 'request-id': request.requestId, ...CORS }
    try {
      return await answer(request, headers)
    } catch (error) {
      const failure = asAppError(error)
      logFailure(failure, { url: endpoint.path, method: endpoint.method }, request.requestId)
      Object.assign(headers, (error as { headers?: Record<string, string> } | null)?.headers)
      const { status, headers: own, body } = problem(failure, request.requestId)
      return {
        status,
        headers: { ...headers, ...Object.fromEntries(own) },
        body: Buffer.from(await new Response(body).arrayBuffer()),
      }
    }
  }
}

const PLAIN: Encoding[] = ['identity']

const passedOf = (moments: readonly number[], at: Date): number => {
  let passed = 0
  for (const moment of moments) if (moment <= at.getTime()) passed++
  return passed
}

async function inEncoding(id: string, kept: KeptBody, encoding: Encoding): Promise<Buffer> {
  if (encoding === 'identity') return kept.body
  const known = kept.encoded.get(encoding)
  if (known) return known
  const made = await encodeBody(kept.body, encoding)
  kept.encoded.set(encoding, made)
  if (keptBodies.get(id) === kept) keptBodies.set(id, kept)
  return made
}
