import { z } from 'zod'

/** How long rows are kept that nobody needs for ever (lib/data/retention). */
export const RETENTION_SETTINGS = {
  RETAIN_DELIVERIES_DAYS: z.coerce
    .number()
    .int()
    .min(4)
    .default(90)
    .describe(
      'How long webhook deliveries, their attempts and their events are shown and can be replayed. At least 4.',
    ),
  RETAIN_MAILS_DAYS: z.coerce
    .number()
    .int()
    .min(2)
    .default(30)
    .describe(
      'How long it is known that a mail was sent that concerns no claim. Bodies are deleted when a mail is sent.',
    ),
  RETAIN_IMPORTS_DAYS: z.coerce
    .number()
    .int()
    .min(1)
    .default(90)
    .describe(
      'How long the lines of an import are shown after its end. ' +
        'An import that isn’t started is cancelled after as long.',
    ),
  RETAIN_ALARMS_DAYS: z.coerce
    .number()
    .int()
    .min(1)
    .default(365)
    .describe('How long ended alarms and closed reports of abuse are kept.'),
}
