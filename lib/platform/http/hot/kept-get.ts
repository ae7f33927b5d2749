import { now } from '../../../core/clock.ts'
import { notFound } from '../../../core/errors.ts'
import { publishedScope } from '../../../db/published-scope.ts'
import type { Value } from '../../../db/statements.ts'
import { ports } from '../../../ports/ports.ts'
import type { Answer, Endpoint, Input, Output } from '../../api/endpoint.ts'
import { CORS } from '../cors.ts'
import { acceptedEncodings, encodeBody, type Encoding, etagOf, knownEtag, MIN_ENCODED_BYTES } from '../encoding.ts'
import { pathAndQueryOf } from '../parse-input.ts'
import type { Queried } from '../query-of.ts'
import { asAppError, logFailure, problem } from '../problem.ts'
import { countRequest } from '../rate-limit.ts'
import { contentOf, contentTypeOf } from '../serve.ts'
import type { Direct, DirectAnswer, DirectRequest } from './direct.ts'
import type { KeptRow, HotRead, Moment } from './hot-read.ts'
import { type KeptBody, keptBodies, ownBytes } from './kept-bodies.ts'
import { askPublished, questions } from './questions.ts'

/**
 * Answers a public GET from a kept body while its version holds. PostgreSQL is asked for the version each time, so that
 * no answer is older than its question. The first read that has a key for a request answers it.
 */
export function keptGet<const E extends Endpoint, Row>(
  endpoint: E,
  ...reads: HotRead<Input<E>, Row, Output<E>>[]
): Direct {
  const questionOf = asker(endpoint, reads)
  return async (request) => {
    const question = questionOf(request)
    if (!question) return null
    const headers: Record<string, string> = { 'request-id': request.requestId, ...CORS }
    try {
      Object.assign(headers, await countRequest('public-reads', request.clientAddress))
      return await answerOf(endpoint, request, headers, question.id, await question.find())
    } catch (error) {
      const failure = asAppError(error)
      logFailure(failure, { method: endpoint.method, url: endpoint.path }, request.requestId)
      Object.assign(headers, (error as { headers?: Record<string, string> } | null)?.headers)
      const response = problem(failure, request.requestId)
      return {
        status: response.status,
        headers: { ...headers, ...Object.fromEntries(response.headers) },
        body: Buffer.from(await response.arrayBuffer()),
      }
    }
  }
}

/** The parts of an endpoint that its answers are made by. Pages also read answers that no endpoint gives. */
type Answered = Pick<Endpoint, 'params' | 'response' | 'status' | 'contentType'> & Queried

/**
 * Reads the answers of `keptGet` in the wire's form, for pages of ours: the parsed body. null: not published, or a
 * malformed request. Requests of clients are counted elsewhere.
 */
export function keptRead<const E extends Answered, Row>(
  endpoint: E,
  ...reads: HotRead<Input<E>, Row, Output<E>>[]
): (request: Pick<DirectRequest, 'params'> & { search?: string }) => Promise<Answer<E> | null> {
  const questionOf = asker(endpoint, reads)
  return async ({ params, search = '' }) => {
    try {
      const kept = await questionOf({ params, search })?.find()
      return kept ? (JSON.parse(kept.body.toString()) as Answer<E>) : null
    } catch (error) {
      if (asAppError(error).status === 404) return null
      throw error
    }
  }
}

/**
 * The key of a request and how its body is found; null: the handler has to answer, or says what is wrong with the
 * request.
 */
function asker<E extends Answered, Row>(endpoint: E, reads: HotRead<Input<E>, Row, Output<E>>[]) {
  const keepers = reads.map((read) => ({ read, find: finder(endpoint, read) }))
  return ({ params, search }: Pick<DirectRequest, 'params' | 'search'>): Question | null => {
    try {
      const input = pathAndQueryOf(endpoint, params, new URLSearchParams(search)) as Input<E>
      for (const { read, find } of keepers) {
        const key = read.keyOf(input)
        const id = `${read.rows.name} ${JSON.stringify(key)}`
        if (key) return { id, find: () => find(id, key, input) }
      }
    } catch {
      // A malformed request.
    }
    return null
  }
}

type Question = { id: string; find: () => Promise<KeptBody> }

/**
 * The rows found for a key, one object for all who asked at the same time, and the body that the first of them makes.
 * It isn't in a WeakMap, since V8's minor collections take a WeakMap's values for live.
 */
type SharedAnswer<Row> = { rows: KeptRow<Row>[]; body: KeptBody | Promise<KeptBody> | null }

/**
 * Finds the body of a key: the kept one, or a new one. A new one is kept only if its version was asked for before,
 * since many answers change before they are asked for again. Throws `not_found`.
 */
function finder<E extends Answered, Row>(endpoint: E, read: HotRead<Input<E>, Row, Output<E>>) {
  const versionsOf = questions(askPublished<object>(read.versions))
  const askRows = askPublished<Row>(read.rows)
  const answerOfKey = questions(
    async (keys) => (await askRows(keys)).map((rows): SharedAnswer<Row> => ({ rows, body: null })),
    read.rowsIn,
  )

  function bodyOf(answer: SharedAnswer<Row>, input: Input<E>): KeptBody | Promise<KeptBody> {
    if (answer.body) return answer.body
    const { rows } = answer
    const at = now()
    const shown = read.show(rows, input, momentOf(at))
    answer.body =
      shown instanceof Promise ? shown.then((value) => bodyWith(rows, value, at)) : bodyWith(rows, shown, at)
    return answer.body
  }

  function bodyWith(rows: KeptRow<Row>[], value: Output<E>, at: Date): KeptBody {
    const { text, etag } = contentOf(endpoint, value)
    const moments = (read.momentsOf?.(rows) ?? []).flatMap((moment) => moment?.getTime() ?? [])
    const passed = passedOf(moments, at)
    const body = ownBytes(Buffer.from(text))
    return { version: rows[0]!.version, moments, passed, etag, body, encoded: new Map() }
  }

  const holds = ({ version, moments, passed }: KeptBody, found: KeptRow<object> | undefined): boolean =>
    found?.version === version && passedOf(moments, now()) === passed

  // A kept body costs a question for its version. Where none is kept, the rows are asked for at once: one round trip
  // instead of two.
  return async (id: string, key: readonly Value[], input: Input<E>): Promise<KeptBody> => {
    const kept = keptBodies.get(id)
    if (kept?.body && holds(kept, (await versionsOf(key))[0])) return kept
    const answer = await answerOfKey(key)
    const { rows } = answer
    const found = rows[0]
    if (!found) {
      keptBodies.delete(id)
      throw notFound()
    }
    const fresh = await bodyOf(answer, input)
    if (read.isKept?.(rows) === false) keptBodies.delete(id)
    else keptBodies.set(id, keptBodies.get(id)?.version === found.version ? fresh : { version: found.version })
    return fresh
  }
}

function momentOf(at: Date): Moment {
  const { rows, db } = publishedScope({ listed: true })
  return { now: () => at, ports: ports(), rows, db }
}

const passedOf = (moments: readonly number[], at: Date): number =>
  moments.reduce((passed, moment) => (moment <= at.getTime() ? passed + 1 : passed), 0)

async function answerOf(
  endpoint: Endpoint,
  { headers: sent }: DirectRequest,
  headers: Record<string, string>,
  id: string,
  kept: KeptBody,
): Promise<DirectAnswer> {
  const accepted = kept.body.length < MIN_ENCODED_BYTES ? PLAIN : acceptedEncodings(sent['accept-encoding'])
  const known = knownEtag(sent['if-none-match'], kept.etag, accepted)
  const encoding = accepted[0]!
  headers['cache-control'] = 'no-cache'
  headers.etag = known ?? etagOf(kept.etag, encoding)
  headers.vary = 'Accept-Encoding'
  if (known !== null) return { status: 304, headers, body: null }
  headers['content-type'] = contentTypeOf(endpoint)
  if (encoding !== 'identity') headers['content-encoding'] = encoding
  return { status: 200, headers, body: await encoded(id, kept, encoding) }
}

const PLAIN: Encoding[] = ['identity']

async function encoded(id: string, kept: KeptBody, encoding: Encoding): Promise<Buffer> {
  const known = encoding === 'identity' ? kept.body : kept.encoded.get(encoding)
  if (known) return known
  const made = ownBytes(await encodeBody(kept.body, encoding))
  kept.encoded.set(encoding, made)
  if (keptBodies.get(id) === kept) keptBodies.set(id, kept) // it takes more bytes now
  return made
}
