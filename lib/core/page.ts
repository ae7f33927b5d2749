import { z } from 'zod'
import { digits, safeString } from './wire.ts'

export type OrderDirection = 'ASC' | 'DESC'
export type PageQuery = {
  limit: number
  cursor?: string | null | undefined
  order_direction?: OrderDirection | null | undefined
}
export type Page<T> = {
  cursor: string | null
  has_more: boolean
  results: T[]
  total_results: number
  total_is_estimate?: true
}
/** How many records a list has. It is estimated only where counting them would take too long. */
export type Total = { total: number; isEstimate: boolean }

export const isNone = (total: number | Total): boolean => (typeof total === 'number' ? total : total.total) === 0

/** The query of a paged list. `maxLimit` is the highest `limit` it accepts. */
export const pageQuery = (maxLimit: 100 | 1000 = 100) =>
  z.object({
    limit: digits(1, maxLimit).default(100).describe(`How many records at most, 1..${maxLimit}.`),
    cursor: safeString
      .nullish()
      .describe(
        'The `cursor` of the previous page. It belongs to this list, its filters and its organization: with others, ' +
          'or altered, it is refused with `invalid_cursor`. `limit` may change.',
      ),
    order_direction: z
      .enum(['ASC', 'DESC'])
      .nullish()
      .describe(
        'DESC (newest first) unless given. A cursor stands between the last record of its page and the next one: ' +
          'with the other direction the list is walked back from there, beginning with the last record of that page.',
      ),
  })

/**
 * The order of a list. null: by when its records were made. Only lists of the dashboard have another: a page far down
 * costs as much as all before it.
 */
export type Sorted<T extends string> = { order_by?: T | null }

export const pageOf = <T extends z.ZodType>(record: T) =>
  z.object({
    cursor: z.string().nullable().describe('Pass it as `cursor` to get the next batch.'),
    has_more: z.boolean(),
    results: z.array(record),
    total_results: z.number().int(),
    total_is_estimate: z
      .literal(true)
      .optional()
      .describe(
        '`total_results` is an estimate: more than 10,000 records match several filters. Absent when it is exact.',
      ),
  })

export const directionOf = ({ order_direction }: PageQuery): OrderDirection => order_direction ?? 'DESC'
