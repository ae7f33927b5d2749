import type { Endpoint } from '../api/endpoint.ts'
import type { FieldError } from '../../core/errors.ts'
import { distance, nearest } from '../../core/nearest.ts'
import { MOST_NAMED } from '../../core/parse-fields.ts'

/**
 * The parts of an endpoint that its query is read by. Without method and auth, only the names of its schema are taken.
 */
export type Queried = Pick<Endpoint, 'query'> & Partial<Pick<Endpoint, 'method' | 'auth' | 'shortNames'>>
type Query = Record<string, string | string[]>
type QueryParameter = { name: string; spelling: string; values: string[] }

/** Each query parameter's value, or its values when it is repeated, and what is wrong with the query. */
export function queryOf(endpoint: Queried, search: URLSearchParams): { query: Query; fields: FieldError[] } {
  const query: Query = {}
  const fields: FieldError[] = []
  if (search.size === 0) return { query, fields }
  const names = namesOf(endpoint)
  const all: QueryParameter[] = []
  for (const [sent, value] of search) {
    if (fields.length === MOST_NAMED) break
    const spelling = names.isOpen && sent.endsWith(']') ? sent.replace(/\[\d*\]$/, '[]') : sent
    const name = names.meant.get(names.isOpen && spelling.endsWith('[]') ? spelling.slice(0, -2) : spelling)
    if (name === undefined) fields.push(...unknown(sent, names))
    else if (value !== '') add(all, { name, spelling, values: [value] })
    else if (names.refusesEmpty) fields.push({ field: name, ...EMPTY })
  }
  for (const { name, spelling, values } of all) {
    const other = all.find((one) => one.name === name)!
    if (other.values.join('&') !== values.join('&')) fields.push(differing(name, other.spelling, spelling))
    query[name] = values.length === 1 ? values[0]! : values
  }
  return { query, fields }
}

function add(all: QueryParameter[], given: QueryParameter): void {
  const before = all.find(({ spelling }) => spelling === given.spelling)
  if (before) before.values.push(...given.values)
  else all.push(given)
}

type Names = {
  /** The parameter that each known spelling means. */
  meant: ReadonlyMap<string, string>
  /** The parameters by the word that a misspelling is compared with. */
  words: readonly (readonly [word: string, name: string])[]
  known: readonly string[]
  /**
   * On public reads further spellings are understood, and names that are like none are ignored: others add theirs to
   * links.
   */
  isOpen: boolean
  /**
   * On administrative writes a parameter says what is touched: without it, that is more. Those of public writes are
   * proofs.
   */
  refusesEmpty: boolean
}

/** Lists have one of the two, and take the other for it. */
const STATES = [
  ['state', 'status'],
  ['status', 'state'],
] as const

const namesOfEndpoints = new WeakMap<Queried, Names>()

function namesOf(endpoint: Queried): Names {
  const found = namesOfEndpoints.get(endpoint)
  if (found) return found
  const { method, auth, query, shortNames = {} } = endpoint
  const known = Object.keys(query?.shape ?? {})
  const isRead = method === 'GET'
  const isOpen = isRead && auth !== 'api_key'
  const short = isOpen ? Object.entries(shortNames) : []
  const spelled = isOpen ? known.flatMap((name) => [singularOf(name), pluralOf(name)].map((one) => [one, name])) : []
  const meant = new Map([...spelled, ...short, ...known.map((name) => [name, name])] as [string, string][])
  if (isRead) for (const [name, other] of STATES) if (known.includes(name) && !meant.has(other)) meant.set(other, name)
  const words = [...new Map([...meant].map(([spelling, name]) => [wordOf(spelling), name]))]
  const names = { meant, words, known, isOpen, refusesEmpty: !isRead && auth === 'api_key' }
  namesOfEndpoints.set(endpoint, names)
  return names
}

/** Parameters that pages and caches add to any address. */
const FOREIGN = /^(?:_|t|v|utm_.*)$/

function unknown(sent: string, { words, known, isOpen }: Names): FieldError[] {
  const near = FOREIGN.test(sent) ? undefined : nearParameter(wordOf(sent), words)
  if (isOpen && near === undefined) return []
  const named = near ?? nearest(sent, known)
  const hint = named ? `The nearest is ${named}.` : `This operation takes ${known.join(', ') || 'none'}.`
  return [{ field: sent, code: 'unknown_parameter', detail: `There is no such parameter. ${hint}` }]
}

/**
 * The parameter that a name is a misspelling of: another case, number, `-` or `_`, or at most two other letters in a
 * name of five or more.
 */
function nearParameter(word: string, words: Names['words']): string | undefined {
  let [found, least] = [undefined as string | undefined, 3]
  for (const [one, name] of words) {
    const mayDiffer = one.length >= 5 && Math.abs(one.length - word.length) <= 2
    const steps = word === one ? 0 : mayDiffer ? distance(word, one) : least
    if (steps < least) [found, least] = [name, steps]
  }
  return found
}

const wordOf = (name: string): string => singularOf(name.toLowerCase().replace(/[^a-z0-9]/g, ''))
const singularOf = (name: string): string => name.replace(/(?<=s)es$|(?<!s)s$/, '')
const pluralOf = (name: string): string => (name.endsWith('s') ? `${name}es` : `${name}s`)

const EMPTY = {
  code: 'empty',
  detail: 'An empty value would change more than what it names. Give a value, or leave the parameter out.',
}

const differing = (name: string, one: string, other: string): FieldError => ({
  field: name,
  code: 'differing',
  detail: `It is given as ${one} and as ${other}, with different values. Give one of them.`,
})
