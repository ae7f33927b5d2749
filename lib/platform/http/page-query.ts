import { z } from 'zod'

type SearchParams = Record<string, string | string[] | undefined>

/** Parses a page's query string with the endpoint's own schema. Invalid values are ignored: a page has no 400. */
export function readQuery<S extends z.ZodObject>(schema: S, searchParams: SearchParams): z.output<S> {
  const given = Object.fromEntries(
    Object.entries(searchParams).filter(([, value]) => value !== undefined && value !== ''),
  )
  const first = schema.safeParse(given)
  if (first.success) return first.data
  for (const issue of first.error.issues) delete given[String(issue.path[0])]
  return schema.parse(given)
}

/** How lists of the dashboard can be sorted, by their names in a page's query. Newest first unless one is given. */
const SORTS = {
  oldest: { order_direction: 'ASC' },
  name: { order_by: 'NAME', order_direction: 'ASC' },
  nameDown: { order_by: 'NAME', order_direction: 'DESC' },
  state: { order_by: 'STATE', order_direction: 'ASC' },
  price: { order_by: 'PRICE', order_direction: 'ASC' },
  priceDown: { order_by: 'PRICE', order_direction: 'DESC' },
} as const
export type Sort = keyof typeof SORTS
type OrderBy<T extends Sort> = Extract<(typeof SORTS)[T], { order_by: string }>['order_by']

/** The same of a list that can be sorted in these ways. */
export function readSortedQuery<S extends z.ZodObject, const T extends Sort>(
  schema: S,
  sorts: readonly T[],
  searchParams: SearchParams,
): z.output<S> & { order_by?: OrderBy<T> } & { sort: T | null } {
  const { sort } = readQuery(z.object({ sort: z.enum(sorts).nullish() }), searchParams)
  return { ...readQuery(schema, searchParams), ...(sort && SORTS[sort]), sort: sort ?? null } as never
}
