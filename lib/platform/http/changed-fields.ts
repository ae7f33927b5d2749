import { isDeepStrictEqual } from 'node:util'
import type { z } from 'zod'
import { AppError } from '../../core/errors.ts'
import { withLineFeeds } from '../../core/line-feeds.ts'
import { type AsJson, OPENED_FIELD, type Opened } from '../api/form-action.ts'
import { parseExactJson } from './exact-json.ts'

type Body = Record<string, unknown>
/** A field of a form: where it stands in the body, what the form was opened with, and what it sends. */
export type Change = { path: string[]; opened: unknown; sent: unknown }

/** Objects of which a PATCH changes the fields given. Any other object is replaced. */
const MERGED = new Set(['attributes', 'brand', 'config', 'media', 'policy', 'policy.payment_session_duration'])

/** A record as JSON, which is how a form is opened with it. */
export const asJson = <T>(record: T): AsJson<T> =>
  JSON.parse(JSON.stringify(record ?? null, (_, value: unknown) => (typeof value === 'bigint' ? String(value) : value)))

/** Some fields of a record, which is what its form is opened with. */
export const shownOf = <R extends object, Name extends keyof R>(record: R, names: readonly Name[]) =>
  asJson(Object.fromEntries(names.map((name) => [name, record[name]])) as Pick<R, Name>)

/** The fields of a record that an endpoint changes. */
export const changeableOf = <S extends z.ZodRawShape, R extends object>(
  { body }: { body: z.ZodObject<S> },
  record: R,
) => shownOf(record, Object.keys(body.shape) as (keyof S & keyof R)[])

/** The values that a form was opened with. null: the form doesn't say so. */
export function openedOf(form: FormData): Opened | null {
  const text = form.get(OPENED_FIELD)
  try {
    const opened = typeof text === 'string' ? parseExactJson(text) : null
    return typeof opened === 'object' && !Array.isArray(opened) ? (opened as Opened | null) : null
  } catch (error) {
    if (error instanceof AppError) return null
    throw error
  }
}

/** The fields of a form that differ from what it was opened with. An emptied one is null. */
export function changesOf(form: FormData, body: Body, opened: Opened): Change[] {
  const names = [...form.keys()]
  const isShown = (path: string[]) => names.some((name) => isWithin(name.split(':')[0]!, path.join('.')))
  return leavesOf(body, opened, []).filter(({ path, sent, opened }) => {
    const isTrimmed = !form.has(`${path.join('.')}:long`)
    if (sent === undefined && !isShown(path)) return false
    return (
      !isSame(path, sent, opened) && !(isTrimmed && typeof opened === 'string' && isSame(path, sent, opened.trim()))
    )
  })
}

/** All fields of a form and of what it was opened with, for a record that is saved as a whole. */
export const allFieldsOf = (body: Body, opened: Opened): Change[] => leavesOf(body, opened, [])

const isWithin = (name: string, path: string): boolean => name === path || name.startsWith(`${path}.`)

function leavesOf(sent: unknown, opened: unknown, path: string[]): Change[] {
  if (path.length > 0 && !MERGED.has(path.join('.'))) return [{ path, opened, sent }]
  const [mine, before] = [fieldsOf(sent), fieldsOf(opened)]
  const names = new Set([...Object.keys(mine), ...Object.keys(before)])
  return [...names].flatMap((name) => leavesOf(mine[name], before[name], [...path, name]))
}

const fieldsOf = (value: unknown): Body => (typeof value === 'object' && value !== null ? (value as Body) : {})

/** Attributes and schemas hold any JSON: their forms say themselves what is as it was. */
function isSame([field]: string[], a: unknown, b: unknown): boolean {
  if (field === 'schema') return JSON.stringify(a) === JSON.stringify(b)
  return field === 'attributes' ? isDeepStrictEqual(a ?? null, b ?? null) : looksSame(a, b)
}

/** Whether two values look alike in a form: an empty field, null and nothing do, and all kinds of line breaks. */
function looksSame(a: unknown, b: unknown): boolean {
  if (isEmpty(a) || isEmpty(b)) return isEmpty(a) && isEmpty(b)
  if (typeof a === 'string' && typeof b === 'string') return withLineFeeds(a) === withLineFeeds(b)
  if (typeof a !== 'object' || typeof b !== 'object' || Array.isArray(a) !== Array.isArray(b)) return a === b
  const [mine, theirs] = [fieldsOf(a), fieldsOf(b)]
  return [...new Set([...Object.keys(mine), ...Object.keys(theirs)])].every((name) =>
    looksSame(mine[name], theirs[name]),
  )
}

const isEmpty = (value: unknown): boolean => value === undefined || value === null || value === ''

/** The body that is sent of a form: its changed fields alone. */
export const bodyOfChanges = (changes: readonly Change[]): Body =>
  changes.reduce<Body>((body, { path, sent }) => put(body, path, sent ?? null), {})

/** The values that the form shows after these changes are saved. */
export const savedWith = (opened: Opened, changes: readonly Change[]): Opened =>
  changes.reduce<Opened>((now, { path, sent }) => put(now, path, sent ?? null), opened)

function put(body: Body, [name = '', ...rest]: string[], value: unknown): Body {
  return { ...body, [name]: rest.length === 0 ? value : put(fieldsOf(body[name]), rest, value) }
}

const valueAt = (record: unknown, path: readonly string[]): unknown =>
  path.reduce<unknown>((value, name) => fieldsOf(value)[name], record)

type Meanwhile = { field: string; theirs: unknown; yours: unknown }

/** Somebody else saved other values in fields that a form changes. */
export class ChangedMeanwhile extends AppError {
  readonly meanwhile: Meanwhile[]
  /** The values that the form is to be compared with, now that a person sees them. */
  readonly opened: Opened

  constructor(meanwhile: Meanwhile[], opened: Opened) {
    const fields = meanwhile.map(({ field, theirs, yours }) => ({
      field,
      code: 'changed_meanwhile',
      detail: `Somebody saved ${JSON.stringify(theirs)} here meanwhile. You entered ${JSON.stringify(yours)}.`,
    }))
    super(
      'precondition_failed',
      'Somebody else changed this meanwhile. Look at the marked fields. If you save again, ' +
        'what you entered replaces theirs.',
      { fields },
    )
    this.meanwhile = meanwhile
    this.opened = opened
  }
}

/** Throws ChangedMeanwhile where a changed field has another value by now than the form was opened with. */
export function assertNotChangedMeanwhile(record: unknown, changes: readonly Change[], opened: Opened): void {
  const lost = changes
    .map((change) => ({ ...change, theirs: valueAt(record, change.path) }))
    .filter(({ path, theirs, opened, sent }) => !isSame(path, theirs, opened) && !isSame(path, theirs, sent))
  if (lost.length === 0) return
  throw new ChangedMeanwhile(
    lost.map(({ path, theirs, sent }) => ({ field: path.join('.'), theirs: theirs ?? null, yours: sent ?? null })),
    lost.reduce<Opened>((now, { path, theirs }) => put(now, path, theirs ?? null), opened),
  )
}
