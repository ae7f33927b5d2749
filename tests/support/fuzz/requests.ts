import { gzipSync } from 'node:zlib'
import { newId } from '../../../lib/core/id.ts'
import type { Dice } from './dice.ts'
import type { Operation } from './document.ts'
import { jsonOf, mutate, oddText, oddValue } from './odd.ts'
import { type Rows, valueOf, withRows } from './values.ts'

export type FuzzRequest = {
  method: string
  url: string
  headers: Record<string, string>
  body: Buffer | null
  /** Whether the document speaks of it: a request to another path, or with a malformed one, needs only be refused. */
  isDescribed: boolean
}
/** The rows of an organization and of another one, and its key with others. */
export type Setting = { rows: Rows; foreign: Rows; key: string; otherKeys: string[] }

/** A request to an operation: good, or wrong in one or several ways. */
export function requestOf(operation: Operation, { rows, foreign, key, otherKeys }: Setting, dice: Dice): FuzzRequest {
  const known = dice.percent(90) ? rows : foreign
  const path = operation.path.replace(/\{(\w+)\}/g, (_, name: string) =>
    encodeURIComponent((dice.percent(88) ? (known[name] ?? newId()) : oddText(dice).slice(0, 400)).toWellFormed()),
  )
  const query = queryOf(operation, known, dice)
  const { body, headers } = operation.body || dice.percent(5) ? bodyOf(operation, known, dice) : NO_BODY
  const url = `${path}${query && `?${query}`}`
  const broken = dice.percent(6) ? malformed(path, query, dice) : null
  return {
    method: operation.method,
    url: broken ?? url,
    headers: { ...headers, ...headersOf(operation, key, otherKeys, dice) },
    body,
    // An empty parameter makes another path.
    isDescribed: broken === null && !/\/(?=\/|$)/.test(path) && isDecodable(url),
  }
}

const NO_BODY = { body: null, headers: {} }

function isDecodable(url: string): boolean {
  try {
    decodeURIComponent(url)
    return true
  } catch {
    return false
  }
}

const malformed = (path: string, query: string, dice: Dice): string =>
  dice.pick([
    `${path}/`,
    `${path}//x?${query}`,
    path.replace(/\/(?=[^/]*$)/, '//'),
    `${path}%`,
    `${path}%zz`,
    `${path}%E0%A4%A`,
    `${path}/%2e%2e/%2e%2e`,
    `${path};a=b`,
    `${path}.rsc`,
    `${path}%2F..%2F`,
    `${path}\\..\\`,
    `${path}/%00`,
    `${path}/\u00ff`,
    `${path}/${'x'.repeat(9_000)}`,
    `${path}?${query}&a=%ff`,
    `${path}?%`,
    `${path}#a`,
    path.replace(/\/v1/, '/V1'),
    path.replace(/v1.*/, 'v1'),
    path.replace(/v1.*/, 'v1/[...path]'),
  ])

/** Cursors of other lists, and what only looks like one. */
const CURSORS = [
  Buffer.from(`1:${newId()}`).toString('base64url'),
  Buffer.from('1:100').toString('base64url'),
  Buffer.from('2:\0').toString('base64url'),
  'MTo',
  '__proto__',
]

function queryOf(operation: Operation, rows: Rows, dice: Dice): string {
  const pairs: string[] = []
  for (const { name, in: place, schema } of operation.parameters) {
    if (place !== 'query' || dice.percent(45)) continue
    const good = () => String([valueOf(schema, name, operation, rows, dice)].flat().join(','))
    const odd = () => (name === 'cursor' && dice.percent(70) ? dice.pick(CURSORS) : oddText(dice)).slice(0, 500)
    const values = Array.from({ length: dice.percent(8) ? 2 : 1 }, () => (dice.percent(70) ? good() : odd()))
    for (const value of values) {
      const written = dice.percent(2) ? dice.pick(['%', '%ff', '%ED%A0%80']) : encodeURIComponent(value.toWellFormed())
      pairs.push(`${name}${dice.percent(3) ? '[]' : ''}=${written}`)
    }
  }
  if (dice.percent(3)) pairs.push(dice.pick(['__proto__=1', 'constructor=1', '=', '&', 'a']))
  return pairs.join('&')
}

const TYPES = [
  'text/plain',
  'application/x-www-form-urlencoded',
  'application/json; charset=utf-16',
  'application/json;charset="iso-8859-1"',
  'application/vnd.api+json',
  'multipart/form-data',
  'multipart/form-data; boundary=a',
  'application/json, text/html',
  '/',
  'x',
]

function bodyOf(
  operation: Operation,
  rows: Rows,
  dice: Dice,
): { body: Buffer | null; headers: Record<string, string> } {
  const { schema = {}, example = {}, isForm = false } = operation.body ?? {}
  let value = dice.percent(65) ? withRows(example, rows) : valueOf(schema, '', operation, rows, dice)
  value = structuredClone(value)
  for (let times = dice.pick([0, 0, 1, 1, 2, 4]); times > 0; times--) value = mutate(value, dice)
  const headers: Record<string, string> = { 'content-type': 'application/json' }
  const plain = Buffer.from(jsonOf(value))
  if (!dice.percent(22)) return { body: plain, headers }
  switch (dice.upTo(isForm ? 10 : 9)) {
    case 0:
      return { body: plain.subarray(0, dice.upTo(plain.length)), headers }
    case 1:
      return {
        body: gzipSync(plain),
        headers: { ...headers, 'content-encoding': dice.pick(['gzip', 'br', 'x', 'GZIP']) },
      }
    case 2:
      return { body: gzipSync(plain), headers }
    case 3:
      return { body: plain, headers: { 'content-type': dice.pick(TYPES) } }
    case 4:
      return { body: plain, headers: {} }
    case 5:
      return { body: Buffer.concat([Buffer.from([0xef, 0xbb, 0xbf]), plain]), headers }
    case 6:
      return { body: Buffer.concat([plain, Buffer.from([dice.pick([0xff, 0xc0, 0xed]), 0x80])]), headers }
    case 7:
      return { body: Buffer.from(jsonOf(oddValue(dice))), headers }
    case 8:
      return { body: null, headers }
    case 9:
      return { body: Buffer.from(`{"a":${'['.repeat(200_000)}`), headers }
    default:
      return formOf(dice)
  }
}

function formOf(dice: Dice) {
  const part = dice.pick([
    'name="file"; filename="a.csv"',
    'name="file"',
    'name="__proto__"',
    'name="csv"',
    'filename="a"',
    '',
  ])
  const content = dice.pick(['title\nMoonflower\n', '\0', '', '\ufffd', '{"a":1}'])
  const end = dice.percent(30) ? '' : '--'
  const body = Buffer.from(`--b\r\ncontent-disposition: form-data; ${part}\r\n\r\n${content}\r\n--b${end}\r\n`)
  return { body, headers: { 'content-type': 'multipart/form-data; boundary=b' } }
}

function headersOf(operation: Operation, key: string, otherKeys: string[], dice: Dice): Record<string, string> {
  const headers: Record<string, string> = {}
  if (dice.percent(92)) headers.authorization = `Bearer ${key}`
  else if (dice.percent(50))
    headers[dice.pick(['authorization', 'x-api-key'])] = dice.pick([...otherKeys, 'Bearer', 'x', 'Basic \u00ff'])
  if (operation.method === 'POST' && dice.percent(60))
    headers['idempotency-key'] = dice.percent(80)
      ? newId()
      : dice.pick(['x', '', ' ', 'x'.repeat(256), '\u00e9'.repeat(30)])
  if (dice.percent(5)) headers['if-none-match'] = dice.pick(['*', 'x', '"', 'W/"x", "y"'])
  if (dice.percent(5)) headers['request-id'] = dice.pick(['x'.repeat(200), '<a>', 'one', ''])
  if (dice.percent(5)) headers['accept-encoding'] = dice.pick(['br', 'gzip;q=x', '*', 'identity;q=0', ','])
  if (dice.percent(3)) headers.range = 'bytes=0-1'
  if (dice.percent(3)) headers.accept = dice.pick(['text/html', 'x', '*/*;q=0'])
  if (dice.percent(3)) headers.cookie = dice.pick(['a', 'a=%', '__proto__=1', 'x='.repeat(500)])
  if (dice.percent(3)) headers['x-forwarded-for'] = dice.pick(['x', '\u00ff', '1.2.3.4, ::1'])
  return headers
}
