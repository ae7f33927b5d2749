import type { Json } from './openapi-documents.ts'

type Direction = 'request' | 'response'
type Reader = { document: Json; direction: Direction; seen: Set<string> }

/**
 * What of an earlier OpenAPI document a later one doesn't keep: operations, parameters and fields that are gone,
 * requests that were accepted and aren't any more, and answers or events that were never given before. New operations,
 * events, optional parameters and fields are no break, and neither are new values of an answer's enum.
 */
export function breakingChanges(before: Json, after: Json): string[] {
  const changes = Object.entries<Json>(before.paths).flatMap(([path, methods]) =>
    Object.entries<Json>(methods).flatMap(([method, old]) => {
      const name = `${method.toUpperCase()} ${path}`
      const now = after.paths[path]?.[method]
      if (!now) return [`${name}: the operation is gone`]
      return [
        ...parameters(old, now, before, after),
        ...body(old, now, before, after),
        ...answers(old, now, before, after),
      ].map((change) => `${name}: ${change}`)
    }),
  )
  return [...new Set([...changes, ...events(before, after)])]
}

/** What webhooks get is given, as an answer is. */
function events(before: Json, after: Json): string[] {
  const data = ({ post }: Json) => post.requestBody.content['application/json'].schema
  return Object.entries<Json>(before.webhooks ?? {}).flatMap(([type, old]) => {
    const now = after.webhooks?.[type]
    return (now ? widened(data(old), data(now), 'event', before, after) : ['the event is gone']).map(
      (change) => `${type}: ${change}`,
    )
  })
}

const read = (document: Json, schema: Json): Json => {
  if (typeof schema?.$ref !== 'string') return schema ?? {}
  return document.components.schemas[schema.$ref.split('/').at(-1)]
}

function parameters(old: Json, now: Json, before: Json, after: Json): string[] {
  const key = (parameter: Json) => `${parameter.in} ${parameter.name}`
  const known = new Map<string, Json>(old.parameters.map((one: Json) => [key(one), one]))
  const given = new Map<string, Json>(now.parameters.map((one: Json) => [key(one), one]))
  return [
    ...[...known].flatMap(([name, one]) =>
      given.has(name) ? narrowed(one.schema, given.get(name).schema, name, before, after) : [`${name} is gone`],
    ),
    ...[...given]
      .filter(([name, one]) => one.required && !known.get(name)?.required)
      .map(([name]) => `${name} is required now`),
  ]
}

function body(old: Json, now: Json, before: Json, after: Json): string[] {
  if (!now.requestBody) return old.requestBody ? ['the body is gone'] : []
  if (now.requestBody.required && !old.requestBody?.required) return ['a body is required now']
  return Object.entries<Json>(old.requestBody?.content ?? {}).flatMap(([type, { schema }]) => {
    const other = now.requestBody.content[type]
    return other ? narrowed(schema, other.schema, 'body', before, after) : [`a body of ${type} is no longer accepted`]
  })
}

function answers(old: Json, now: Json, before: Json, after: Json): string[] {
  return Object.entries<Json>(old.responses)
    .filter(([status]) => status.startsWith('2'))
    .flatMap(([status, { content }]) => {
      if (!now.responses[status]) return [`the answer ${status} is gone`]
      return Object.entries<Json>(content ?? {}).flatMap(([type, { schema }]) => {
        const other = now.responses[status].content?.[type]
        return other ? widened(schema, other.schema, 'answer', before, after) : [`${type} is gone`]
      })
    })
}

const narrowed = (old: Json, now: Json, at: string, before: Json, after: Json): string[] => {
  const reader = { document: before, direction: 'request', seen: new Set<string>() } as const
  return gaps(old, reader, now, { ...reader, document: after }, at)
}

const widened = (old: Json, now: Json, at: string, before: Json, after: Json): string[] => {
  const reader = { document: after, direction: 'response', seen: new Set<string>() } as const
  return gaps(now, reader, old, { ...reader, document: before }, at)
}

/** The forms of a value: the members of a union, or itself. */
function forms(schema: Json, { document }: Reader): Json[] {
  const own = read(document, schema)
  const union = own.anyOf ?? own.oneOf
  if (union) return union.flatMap((one: Json) => forms(one, { document } as Reader))
  return Array.isArray(own.type) ? own.type.map((type: string) => ({ ...own, type })) : [own]
}

/** Why a value of the first schema may not be one of the second. For answers the first is the later one. */
function gaps(from: Json, reader: Reader, to: Json, other: Reader, at: string): string[] {
  const pair = `${from?.$ref} ${to?.$ref}`
  if (from?.$ref && to?.$ref) {
    if (reader.seen.has(pair)) return []
    reader.seen.add(pair)
  }
  const accepting = forms(to, other)
  return forms(from, reader).flatMap((form) => {
    const found = accepting.map((one) => formGaps(form, reader, one, other, at))
    return found.sort((a, b) => a.length - b.length)[0] ?? []
  })
}

function formGaps(from: Json, reader: Reader, to: Json, other: Reader, at: string): string[] {
  const isRequest = reader.direction === 'request'
  if (to.type !== undefined && from.type !== to.type && !(from.type === 'integer' && to.type === 'number'))
    return [`${at} is ${isRequest ? to.type : from.type}, was ${isRequest ? from.type : to.type}`]
  return [
    ...(isRequest ? bounds(from, to, at) : []),
    ...(from.type === 'array' && to.items ? gaps(from.items ?? {}, reader, to.items, other, `${at}[]`) : []),
    ...(from.type === 'object' ? fields(from, reader, to, other, at) : []),
  ]
}

/** Values that are no longer accepted. */
function bounds(from: Json, to: Json, at: string): string[] {
  const values = from.enum ?? (from.const === undefined ? undefined : [from.const])
  const accepted = to.enum ?? (to.const === undefined ? undefined : [to.const])
  const lost = accepted && (values ? values.filter((value: Json) => !accepted.includes(value)) : ['any other value'])
  const lower = ['minimum', 'minLength', 'minItems'].filter((name) => to[name] > (from[name] ?? -Infinity))
  const upper = ['maximum', 'maxLength', 'maxItems'].filter((name) => to[name] < (from[name] ?? Infinity))
  const formed = ['pattern', 'format'].filter((name) => to[name] !== undefined && to[name] !== from[name])
  return [
    ...(lost?.length > 0 ? [`${at} no longer takes ${lost.join(', ')}`] : []),
    ...[...lower, ...upper, ...formed].map((name) => `${at} has another ${name}`),
  ]
}

function fields(from: Json, reader: Reader, to: Json, other: Reader, at: string): string[] {
  const given: Record<string, Json> = from.properties ?? {}
  const expected: Record<string, Json> = to.properties ?? {}
  const required = (to.required ?? []).filter((name: string) => !(from.required ?? []).includes(name))
  const gone =
    reader.direction === 'response'
      ? Object.keys(expected).filter((name) => !(name in given) && from.additionalProperties === undefined)
      : Object.keys(given).filter((name) => !(name in expected) && to.additionalProperties === false)
  const kept = Object.keys(given).filter((name) => name in expected)
  return [
    ...gone.map((name) => `${at}.${name} is gone`),
    ...required
      .filter((name: string) => !gone.includes(name))
      .map(
        (name: string) =>
          `${at}.${name} is ${reader.direction === 'request' ? 'required now' : 'no longer always there'}`,
      ),
    ...kept.flatMap((name) => gaps(given[name], reader, expected[name], other, `${at}.${name}`)),
  ]
}
