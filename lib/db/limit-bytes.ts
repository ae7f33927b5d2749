import { Prisma } from '../../generated/prisma/client.ts'

/** Of the JSON that one statement gives: parsing it holds the event loop for some 20 ms. */
const MOST_BYTES = 2_000_000

/** The column that `limitBytes` adds to a row. `isLast`: there are no more rows. */
export type Sized = { isLast: boolean }

/**
 * The first rows of a page whose JSON in a column has at most 2 MB together, and at least one: tenants choose how large
 * theirs is. `page` has at most `most` rows, in the order of `key`.
 */
export function limitBytes(
  page: Prisma.Sql,
  { json, key, most }: { json: string; key: string; most: number },
): Prisma.Sql {
  return Prisma.sql`
    SELECT sized.*, place = many AND many < ${most}::int AS "isLast" FROM (
      SELECT page.*, (sum(octet_length(${Prisma.raw(json)}::text)) OVER w)::float8 AS bytes,
        row_number() OVER w AS place, count(*) OVER () AS many
      FROM (${page}) page WINDOW w AS (ORDER BY ${Prisma.raw(key)})) sized
    WHERE bytes <= ${MOST_BYTES}::float8 OR place = 1 ORDER BY place`
}
