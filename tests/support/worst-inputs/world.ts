import { newId } from '../../../lib/core/id.ts'
import { callerOf } from '../call.ts'
import { installFakeChain } from '../claims.ts'
import { makeOrganization, type TestOrganization } from '../organization.ts'

/** A request, its body as JSON or as the fields of a multipart form. `from`: an organization's key, or a stranger. */
export type Sent = {
  method: 'GET' | 'POST' | 'PUT' | 'PATCH'
  url: string
  body?: object
  form?: readonly Field[]
  from?: 'organization' | 'stranger'
}
export type Field = { name: string; file?: string; content: string | Buffer }
/** What it is, the request, and the status of its answer. */
export type Row = [name: string, make: () => Sent, status: number]

export const post = (url: string, body: object): Sent => ({ method: 'POST', url, body })
export const patch = (url: string, body: object): Sent => ({ method: 'PATCH', url, body })

export const SCHEMAS = {
  repeated: { pattern: '^(a+)+$' },
  ahead: { pattern: '^(?=(a+)+$)' },
  wide: { allOf: Array.from({ length: 1_500 }, () => ({ items: { type: 'string' } })) },
  unique: { uniqueItems: true },
  open: {},
  long: { pattern: `^${'[a-z]?'.repeat(300)}$` },
}

/** What the requests name; made by `makeWorld`. `types`: item types by their schemas. */
export const world = {
  organization: undefined as unknown as TestOrganization,
  collection: '',
  types: {} as Record<string, string>,
}

export async function makeWorld(): Promise<void> {
  installFakeChain()
  world.organization = await makeOrganization()
  world.collection = (await callerOf(world.organization.key).post('/v1/collections', { name: newId() })).body.id
  for (const [name, part] of Object.entries(SCHEMAS)) world.types[name] = await makeType({ properties: { part } })
}

export const makeType = async (schema: object): Promise<string> =>
  (await callerOf(world.organization.key).post('/v1/item-types', { name: newId(), schema })).body.id

export const listOf = <T>(length: number, one: (at: number) => T): T[] => Array.from({ length }, (_, at) => one(at))
export const repeated = (text: string, length: number): string => text.repeat(Math.floor(length / text.length))
/** As many blocks of a template as it may have, each as long as it may be, and one that leads to `url`. */
export const largestBlocks = (url: string): object[] => [
  { type: 'BUTTON', label: 'x', url },
  ...listOf(59, () => ({ type: 'TEXT', text: '<&'.repeat(2_500) })),
]
/** The longest title whose characters all become longer in HTML. */
export const TITLE = '&'.repeat(255)
