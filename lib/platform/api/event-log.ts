import { z } from 'zod'
import { digits, safeString, timestamp, uuid } from '../../core/wire.ts'
import { endpoint } from './endpoint.ts'
import { eventType } from './webhooks.ts'

const area = 'Webhooks'

/** The longest that a listener waits for an event. */
const MAX_WAIT_SECONDS = 30

const event = z
  .object({
    type: eventType.describe('The event’s type.'),
    id: uuid.describe('The same that a webhook gets as `webhook-id`, so that receivers can recognise duplicates.'),
    organization_id: uuid.describe('Whose event it is.'),
    timestamp: timestamp.describe('When it happened.'),
    data: z.record(z.string(), z.unknown()).describe('What happened; its fields depend on the type.'),
    test: z
      .literal(true)
      .optional()
      .describe('An example that was triggered to try a listener; nothing of it happened. Absent otherwise.'),
  })
  .meta({ id: 'Event', description: 'An event, as webhooks get it.' })

export const listenForEvents = endpoint({
  id: 'listen-for-events',
  method: 'GET',
  path: '/v1/events',
  area,
  auth: 'api_key',
  permission: 'webhooks:read',
  summary: 'Listen for events',
  description:
    'The events after a cursor, in the order in which they were recorded; with `wait` the answer comes once ' +
    'there is one. For programs that no webhook can reach: ask again with the `cursor` of each answer. ' +
    'Events are stored for 90 days, unless the installation’s RETAIN_DELIVERIES_DAYS says otherwise. ' +
    'An API key may wait five times at once, and all keys of an organization fifty times. ' +
    'One that is revoked or expires while it waits is refused within about a second.',
  query: z.object({
    after: safeString.nullish().describe('The `cursor` of the answer before. Without it, listening begins now.'),
    wait: digits(0, MAX_WAIT_SECONDS)
      .default(0)
      .describe(
        `How many seconds to wait for an event at most, 0..${MAX_WAIT_SECONDS}. The answer is empty when none came.`,
      ),
    limit: digits(1, 100).default(100).describe('How many events at most, 1..100.'),
  }),
  response: z
    .object({
      results: z.array(event).describe('In the order in which they were recorded.'),
      has_more: z.boolean().describe('Whether more events are there already.'),
      cursor: z.string().describe('Pass it as `after` to get what comes next.'),
    })
    .meta({ id: 'Events' }),
  errors: ['invalid_cursor'],
  waits: true,
})

export const triggerEvent = endpoint({
  id: 'trigger-event',
  method: 'POST',
  path: '/v1/events/trigger',
  area,
  auth: 'api_key',
  permission: 'webhooks:write',
  summary: 'Trigger an example of an event',
  description:
    'For trying a listener: records the documented example of an event, with `test: true`. ' +
    'Only listeners get it (`GET /v1/events`); it is sent to no webhook, and nothing of it happened.',
  body: z.strictObject({ type: eventType.describe('The type of the event to send an example of.') }),
  response: event,
  status: 201,
  example: { type: 'purchase.confirmed' },
})
