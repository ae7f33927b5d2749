import type { Prisma } from '../../generated/prisma/client.ts'

/**
 * The fields of each model. Decimals are left out: statements give them as text, and Prisma's transactions as
 * `Decimal`, so their columns are cast by hand.
 */
type Models = { [M in Prisma.ModelName]: WithoutDecimals<Prisma.TypeMap['model'][M]['payload']['scalars']> }
type WithoutDecimals<Row> = {
  [N in keyof Row as Prisma.Decimal extends Row[N] ? never : N]: Row[N]
}

/** Names in SQL, which give a row of type `Row`. */
export type Columns<Row> = string & { readonly row?: Row }

/** The row that columns give. */
export type RowOf<C> = C extends { readonly row?: infer Row } ? NonNullable<Row> : never

/** The names that a prefix makes: `id` becomes `voucherId`. */
type Prefixed<Row, P extends string> = P extends ''
  ? Row
  : { [N in keyof Row & string as `${P}${Capitalize<N>}`]: Row[N] }

/** The fields whose columns have names of their own. */
const OWN_NAMES: Readonly<Record<string, string>> = { custodian: 'kept_by', readingUntil: 'metadata_reading_until' }

/** The column of a model's field (a test compares it with the schema). */
export const columnOf = (field: string): string =>
  OWN_NAMES[field] ?? field.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`)

/**
 * Columns of a model's table for the list of a SELECT or RETURNING, named as the model names them. `table` is the
 * table's alias. Of two tables with the same names, one takes a prefix. A column that an outer join leaves empty is
 * null, which its type doesn't say.
 */
export function columns<
  M extends Prisma.ModelName,
  const N extends keyof Models[M] & string,
  const P extends string = '',
>(table: string, model: M, names: readonly N[], prefix?: P): Columns<Prefixed<Pick<Models[M], N>, P>>
export function columns(table: string, _model: string, names: readonly string[], prefix = ''): string {
  return names
    .map((name) => {
      const column = columnOf(name)
      const shown = prefix ? prefix + name[0]!.toUpperCase() + name.slice(1) : name
      return shown === column ? `${table}.${column}` : `${table}.${column} AS "${shown}"`
    })
    .join(', ')
}
