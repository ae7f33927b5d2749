/** Fields of a body or an answer, each with the column that holds it. */
type Fields = Readonly<Record<string, string>>
type Body = object | null | undefined

/** The columns of the fields that are in a body, of the body's own types. */
type Columns<F extends Fields, B> = { [Name in keyof B as Name extends keyof F ? F[Name] : never]: B[Name] }
type OrNull<T, B> = null extends B ? { [Name in keyof T]: T[Name] | null } : T
type NotNull<T> = { [Name in keyof T]: Exclude<T[Name], null> }

/**
 * The columns of what a body changes: fields left out stay as they are, and null clears. Of null as a body, all are
 * cleared.
 */
export const columnsOf = <const F extends Fields, B extends Body>(fields: F, body: B) =>
  pick(fields, body, body === null ? () => null : (value) => value) as Partial<OrNull<Columns<F, NonNullable<B>>, B>>

/** The columns of what a body gives a new row. Those of fields that are null or left out get their defaults. */
export const newColumnsOf = <const F extends Fields, B extends Body>(fields: F, body: B) =>
  pick(fields, body, (value) => value ?? undefined) as NotNull<
    undefined extends B ? Partial<Columns<F, NonNullable<B>>> : Columns<F, B>
  >

/** The fields that columns of a row hold. */
export function fieldsOf<const F extends Fields, R extends Readonly<Record<F[keyof F], unknown>>>(fields: F, row: R) {
  const shown: Record<string, unknown> = {}
  for (const name in fields) shown[name] = row[fields[name]!]
  return shown as { [Name in keyof F]: R[F[Name]] }
}

/** A column that gets undefined is left out by Prisma. */
function pick(fields: Fields, body: Body, valueOf: (given: unknown) => unknown): Record<string, unknown> {
  const given: Record<string, unknown> = { ...body }
  return Object.fromEntries(Object.entries(fields).map(([name, column]) => [column, valueOf(given[name])]))
}
