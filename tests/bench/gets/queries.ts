import { z } from 'zod'
import type { Endpoint } from '../../../lib/platform/api/endpoint.ts'
import type { Values } from './values.ts'

const LIMIT = 100

/** A request, and what it is called beside the same one of another organization. */
export type Asked = { name: string; url: string; isList: boolean }

type Schema = { properties?: Record<string, Schema>; enum?: string[]; anyOf?: Schema[]; items?: Schema }
const optionsOf = ({ enum: options, anyOf, items }: Schema): string[] =>
  [...(options ?? []), ...(anyOf ?? []).flatMap(optionsOf), ...(items ? optionsOf(items) : [])].filter(Boolean)

const PAGING = ['limit', 'cursor', 'order_direction']

/** Each filter alone, with each of its values, in both orders. `pairs`: each two filters instead, newest first. */
function queriesOf(endpoint: Endpoint, values: Values, pairs: boolean): { name: string; query: string }[] {
  if (!endpoint.query) return [{ name: '', query: '' }]
  const { properties = {} } = z.toJSONSchema(endpoint.query, { io: 'input', unrepresentable: 'any' }) as Schema
  const required = endpoint.query.safeParse({}).error?.issues.map(({ path }) => String(path[0])) ?? []
  const filters = Object.entries(properties)
    .filter(([name]) => !PAGING.includes(name))
    .map(([name, schema]) => {
      const options = optionsOf(schema)
      const given =
        options.length > 0 ? options.map((value) => [value, value] as const) : Object.entries(values[name] ?? {})
      return given.map(([kind, value]) => ({
        name: `${name}=${kind}`,
        query: value
          .split('\n')
          .map((one) => `${name}=${encodeURIComponent(one)}`)
          .join('&'),
      }))
    })
  const whose = endpoint.path.startsWith('/public') && 'organization_id' in properties
  const needed = [...new Set([...(whose ? ['organization_id'] : []), ...required])].map(
    (name) => `${name}=${encodeURIComponent(Object.values(values[name] ?? {})[0] ?? '')}`,
  )
  const two = pairs
    ? filters.flatMap((some, at) =>
        filters
          .slice(at + 1)
          .flatMap((others) =>
            some.flatMap((a) => others.map((b) => ({ name: `${a.name}&${b.name}`, query: `${a.query}&${b.query}` }))),
          ),
      )
    : []
  const all = (pairs ? two : [{ name: '', query: '' }, ...filters.flat()]).map(({ name, query }) => ({
    name,
    query: [...needed.filter((one) => !query.startsWith(one.slice(0, one.indexOf('=') + 1))), query]
      .filter(Boolean)
      .join('&'),
  }))
  if (!('limit' in properties)) return all
  return all.flatMap(({ name, query }) =>
    (pairs ? ['DESC'] : ['DESC', 'ASC']).map((order) => ({
      name: `${name} ${order}`.trim(),
      query: `limit=${LIMIT}&order_direction=${order}${query && `&${query}`}`,
    })),
  )
}

/** Requests of an endpoint with an organization's values; null where it lacks a value that the path needs. */
export function requestsOf(endpoint: Endpoint, values: Values, pairs: boolean): Asked[] | null {
  const names = [...endpoint.path.matchAll(/\{(\w+)\}/g)].map(([, name]) => name!)
  const existing = (name: string) =>
    Object.entries(values[name] ?? {}).flatMap(([kind, value]) => (kind === 'absent' ? [] : [{ kind, value }]))
  if (names.some((name) => existing(name).length === 0)) return null
  const places = names.length > 0 ? existing(names[0]!) : [{ kind: '', value: '' }]
  const isList = endpoint.query !== undefined && 'cursor' in endpoint.query.shape
  return places.flatMap(({ kind, value }) => {
    const path = endpoint.path.replace(/\{(\w+)\}/g, (_, name: string) =>
      encodeURIComponent(name === names[0] ? value : existing(name)[0]!.value),
    )
    return queriesOf(endpoint, values, pairs).map(({ name, query }) => ({
      name: [endpoint.path, kind && `of ${kind}`, name].filter(Boolean).join(' '),
      url: query ? `${path}?${query}` : path,
      isList,
    }))
  })
}
