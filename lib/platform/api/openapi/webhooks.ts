import { EVENT_DATA } from '../event-data.ts'
import { EVENTS, type EventType } from '../events.ts'
import { STORY } from '../story.ts'
import { type Json, schemaOf } from './schemas.ts'

/** The events as OpenAPI's webhooks: what is posted to an organization's webhooks, with an example of each. */
export const webhooksOf = (schemas: Json): Json =>
  Object.fromEntries((Object.keys(EVENTS) as EventType[]).map((type) => [type, { post: delivery(type, schemas) }]))

const delivery = (type: EventType, schemas: Json): Json => ({
  operationId: `on${type.replaceAll(/(?:^|[._])(\w)/g, (_, letter: string) => letter.toUpperCase())}`,
  tags: ['Webhooks'],
  summary: type,
  description: EVENTS[type].when,
  security: [],
  parameters: HEADERS,
  requestBody: {
    required: true,
    content: {
      'application/json': {
        schema: envelope(type, schemaOf(EVENT_DATA[type], 'response', schemas, type)),
        example: {
          type,
          id: STORY.event,
          organization_id: STORY.organization,
          timestamp: '2026-11-20T12:00:00.000Z',
          data: EVENTS[type].data,
        },
      },
    },
  },
  responses: {
    '2XX': { description: 'Received. The body is not read beyond 4 KiB.' },
    default: { description: 'Not received, like no answer within 15 seconds: it is sent again over 3 days.' },
  },
})

const envelope = (type: EventType, data: Json): Json => ({
  type: 'object',
  required: ['type', 'id', 'organization_id', 'timestamp', 'data'],
  properties: {
    type: { type: 'string', const: type, description: 'The event’s type.' },
    id: {
      type: 'string',
      format: 'uuid',
      description: 'Identifies the event: the same in every attempt and replay, and in the header `webhook-id`.',
    },
    organization_id: { type: 'string', format: 'uuid', description: 'Id of the organization.' },
    timestamp: { type: 'string', format: 'date-time', description: 'When it happened.' },
    data: { ...data, description: 'What happened. Fields may be added at any time.' },
  },
})

const header = (name: string, description: string): Json => ({
  name,
  in: 'header',
  required: true,
  description,
  schema: { type: 'string' },
})
const HEADERS = [
  header('webhook-id', 'The event’s id: process each once.'),
  header('webhook-timestamp', 'Unix seconds of this attempt. Refuse one that is older than five minutes.'),
  header(
    'webhook-signature',
    '`v1,` and a base64 HMAC-SHA256 of `<webhook-id>.<webhook-timestamp>.<body>` with the webhook’s secret (Standard ' +
      'Webhooks); several are separated by spaces.',
  ),
]
