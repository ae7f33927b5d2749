import { jsonIn, fetchOrUnreachable, type Input, requestOf, type Send } from './call.ts'
import { type Call, type CallOptions, retrying } from './retry.ts'

export { Problem, Unreachable } from './call.ts'
export type { Send } from './call.ts'
export type { CallOptions } from './retry.ts'
export type { ErrorCode, FieldError } from './api.ts'

export type ClientOptions = Pick<CallOptions, 'retries' | 'timeoutSeconds'> & {
  /** Where Vitrine runs, such as https://vitrine.example; empty for the page's own origin. */
  origin?: string
  /** An API key, which must not reach a browser. */
  key?: string
  /** In place of `fetch`. */
  send?: Send
}

/** The operations of a client by name, with method, path and the names of their query parameters. */
export type Table = Readonly<Record<string, readonly [method: string, path: string, query: string]>>

/** A client with a method for each operation of a table. `Operations` are their types. */
export function clientOf<Operations>(table: Table, options: ClientOptions): Operations {
  const call = retrying(callerOf(options), options)
  const operations = Object.entries(table).map(([name, [method, path, query]]) => [
    name,
    async (input: Input = {}, { extraQuery, ...own }: CallOptions = {}) => {
      assertKnown(name, input, ['params', 'query', 'body'])
      assertKnown(`${name} params`, input.params, path.match(/\w+(?=\})/g))
      assertKnown(`${name} query`, input.query, query.split(' '))
      return call({ method, path }, { ...input, query: { ...input.query, ...extraQuery } }, own)
    },
  ])
  return Object.fromEntries(operations) as Operations
}

/** A mistyped name would leave out what a call was to be bound to. */
function assertKnown(what: string, given: object = {}, known: readonly string[] | null): void {
  for (const name of Object.keys(given))
    if (!known?.includes(name))
      throw new TypeError(`${what}: there is no ${name}. Known: ${known?.join(', ') || 'none'}.`)
}

/** Calls operations, each once. Gives the Response itself where it is a file. A body may be a form. */
const callerOf =
  ({ origin = '', key, send = fetchOrUnreachable }: ClientOptions): Call =>
  async (route, input, once) => {
    const { body, ...rest } = input
    const form = body instanceof FormData ? body : null
    const [url, init] = requestOf(route, form ? rest : input, once)
    const response = await send(origin.replace(/\/$/, '') + url, {
      ...init,
      ...(form && { body: form }),
      headers: { ...init.headers, ...(key && { authorization: `Bearer ${key}` }) },
    })
    const isFile = response.ok && response.status !== 204 && !response.headers.get('content-type')?.includes('json')
    return isFile ? response : jsonIn(response)
  }

type Page<T> = { cursor: string | null; has_more: boolean; results: readonly T[] }

type Listed = { query?: object } | undefined

/**
 * Every record of a paged list, page by page as they are needed: `for await (const item of each(vitrine.listItems)) …`.
 */
export async function* each<T, I extends Listed>(
  list: (input: I, options?: CallOptions) => Promise<Page<T>>,
  ...[input, options]: undefined extends I ? [input?: I, options?: CallOptions] : [input: I, options?: CallOptions]
): AsyncGenerator<T, void, undefined> {
  let page: Page<T> | undefined
  do {
    const query = page ? { ...input?.query, cursor: page.cursor } : input?.query
    page = await list({ ...input, ...(query && { query }) } as I, options)
    yield* page.results
  } while (page.has_more)
}
