import { z } from 'zod'
import { DAY, HOUR, MINUTE } from '../../core/clock.ts'

const MOST_SECONDS = 3650 * DAY
const seconds = z.number().positive().max(MOST_SECONDS, 'At most ten years.')
const ISO_DURATION = /^P(?=\d|T\d)(?:(\d{1,6})W)?(?:(\d{1,6})D)?(?:T(?:(\d{1,6})H)?(?:(\d{1,6})M)?(?:(\d{1,6})S)?)?$/

const duration = z
  .string()
  .regex(ISO_DURATION, 'Give an ISO 8601 duration in weeks, days, hours, minutes and seconds, such as P30D or PT90M.')
  .transform((text) => {
    const [weeks = 0, days = 0, hours = 0, minutes = 0, rest = 0] = ISO_DURATION.exec(text)!
      .slice(1)
      .map((part: string | undefined) => Number(part ?? 0))
    return (7 * weeks + days) * DAY + hours * HOUR + minutes * MINUTE + rest
  })

/**
 * The body of POST /sandbox/clock/advance: `seconds`, or an ISO 8601 `duration`. Months and years have no fixed length.
 */
export const sandboxAdvance = z
  .strictObject({ seconds: seconds.optional(), duration: duration.pipe(seconds).optional() })
  .refine((body) => (body.seconds === undefined) !== (body.duration === undefined), {
    path: ['seconds'],
    message: 'Give either seconds or duration.',
  })
  .transform((body) => ({ seconds: (body.seconds ?? body.duration)! }))
