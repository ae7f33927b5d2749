import type { z } from 'zod'

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
