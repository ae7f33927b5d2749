import { z } from 'zod'
import { type Sort, SORTS } from '../api/list-sorts.ts'

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

type OrderBy<T extends Sort> = Extract<(typeof SORTS)[T], { order_by: string }>['order_by']

/** Parses a page's query string as `readQuery` does, for a list that can be sorted in these ways. */
export function readSortedQuery<S extends z.ZodObject, const T extends Sort>(
  schema: S,
  sorts: readonly T[],
  searchParams: SearchParams,
): z.output<S> & { order_by?: OrderBy<T> } & { sort: T | null } {
  const { sort } = readQuery(z.object({ sort: z.enum(sorts).nullish() }), searchParams)
  return { ...readQuery(schema, searchParams), ...(sort && SORTS[sort]), sort: sort ?? null } as never
}
