import { z } from 'zod'
import { pageOf, pageQuery } from '../../core/page.ts'
import { optional, safeString, timestamp, uuid } from '../../core/wire.ts'
import { endpoint, noContent } from './endpoint.ts'
import { EVENT_TYPES } from './events.ts'

const area = 'Webhooks'
const params = z.object({ webhook_id: uuid })
const deliveryParams = z.object({ webhook_delivery_id: uuid })
const name = safeString.trim().min(1)
const url = z
  .string()
  .trim()
  .min(1)
  .max(2048)
  .describe('https, at a host on the public internet. Redirects are not followed.')
  .meta({ example: 'https://shop.example.com/hooks/vitrine' })
export const eventType = z.enum(EVENT_TYPES).meta({ id: 'EventType' })
const events = z
  .array(eventType)
  .max(EVENT_TYPES.length)
  .describe('Which events are sent. Empty: all, also types added later.')
const WEBHOOK_STATES = ['ENABLED', 'DISABLED'] as const
const DELIVERY_STATES = ['PENDING', 'DELIVERED', 'FAILED'] as const

export const webhookAttempt = z
  .object({
    status: z.int().nullable().describe('The receiver’s HTTP status; null when it didn’t answer.'),
    error: z.string().nullable(),
    answer: z.string().nullable().describe('The beginning of the receiver’s response body, at most 4 KiB.'),
    milliseconds: z.int(),
    created_at: timestamp,
  })
  .meta({ id: 'WebhookAttempt' })

export const webhookDelivery = z
  .object({
    id: uuid,
    webhook_id: uuid,
    event_id: uuid.nullable().describe('null for a test event.'),
    event_type: z.string(),
    message_id: uuid.describe(
      'The `webhook-id` header: the same for every attempt and replay, so that receivers can recognise duplicates.',
    ),
    state: z.enum(DELIVERY_STATES).describe('PENDING until it is DELIVERED, or FAILED after 3 days.'),
    attempts: z.int(),
    next_attempt_at: timestamp.nullable(),
    delivered_at: timestamp.nullable(),
    replay_of: uuid.nullable().describe('The delivery that this one replays.'),
    payload: z.record(z.string(), z.unknown()).describe('The body that is posted.'),
    log: z.array(webhookAttempt).describe('Every attempt, newest first.'),
    created_at: timestamp,
  })
  .meta({ id: 'WebhookDelivery' })

export const webhook = z
  .object({
    id: uuid,
    name: z.string(),
    url: z.string(),
    events: z.array(eventType).describe('Empty: all of them.'),
    status: z.enum(WEBHOOK_STATES),
    disabled_reason: z.string().nullable().describe('Why it was disabled automatically, if it was.'),
    failing_since: timestamp
      .nullable()
      .describe('Since when all attempts have failed. After 5 days the webhook is disabled.'),
    previous_secret_until: timestamp
      .nullable()
      .describe('Until then deliveries are also signed with the previous secret.'),
    last_delivery: z
      .object({ id: uuid, event_type: z.string(), state: z.enum(DELIVERY_STATES), created_at: timestamp })
      .nullable(),
    created_at: timestamp,
    updated_at: timestamp,
  })
  .meta({ id: 'Webhook' })

const secret = z
  .string()
  .describe('The secret that signs deliveries (Standard Webhooks). Shown only in this response.')
  .meta({ example: 'whsec_C2FVsBQIhrscChlQIMV+b5sSYspob7oD' })
const webhookWithSecret = webhook.extend({ secret }).meta({ id: 'WebhookWithSecret' })

export const listWebhooks = endpoint({
  id: 'list-webhooks',
  method: 'GET',
  path: '/v1/webhooks',
  area,
  auth: 'api_key',
  permission: 'webhooks:read',
  summary: 'List webhooks',
  query: pageQuery().extend({ status: z.enum(WEBHOOK_STATES).nullish() }),
  response: pageOf(webhook),
})

export const createWebhook = endpoint({
  id: 'create-webhook',
  method: 'POST',
  path: '/v1/webhooks',
  area,
  auth: 'api_key',
  permission: 'webhooks:write',
  summary: 'Create a webhook',
  description:
    'From now on each event is posted to the address as `{type, id, organization_id, timestamp, data}`, ' +
    'with the headers `webhook-id`, `webhook-timestamp` and `webhook-signature` of Standard Webhooks. Any 2xx ' +
    'within 15 seconds is a success; everything else is retried over 3 days. The secret is in this response only.',
  body: z.strictObject({ name, url, events: optional(events) }),
  response: webhookWithSecret,
  status: 201,
  errors: ['webhook_url_invalid', 'webhook_limit', 'sign_in_again'],
  example: {
    name: 'Shop backend',
    url: 'https://shop.example.com/hooks/vitrine',
    events: ['purchase.confirmed', 'purchase.fulfilled'],
  },
})

export const getWebhook = endpoint({
  id: 'get-webhook',
  method: 'GET',
  path: '/v1/webhooks/{webhook_id}',
  area,
  auth: 'api_key',
  permission: 'webhooks:read',
  summary: 'Get a webhook',
  params,
  response: webhook,
})

export const updateWebhook = endpoint({
  id: 'update-webhook',
  method: 'PATCH',
  path: '/v1/webhooks/{webhook_id}',
  area,
  auth: 'api_key',
  permission: 'webhooks:write',
  summary: 'Change, disable or enable a webhook',
  description:
    'Disabling it drops waiting deliveries, and events that happen meanwhile are not sent; a replay sends both. ' +
    'Enabling it starts with new events.',
  params,
  body: z.strictObject({
    name: name.optional(),
    url: url.optional(),
    events: events.optional(),
    status: z.enum(WEBHOOK_STATES).optional(),
  }),
  response: webhook,
  errors: ['webhook_url_invalid', 'sign_in_again'],
  example: { events: ['claim.delivered'], status: 'ENABLED' },
})

export const deleteWebhook = endpoint({
  id: 'delete-webhook',
  method: 'DELETE',
  path: '/v1/webhooks/{webhook_id}',
  area,
  auth: 'api_key',
  permission: 'webhooks:write',
  summary: 'Delete a webhook',
  description: 'Its deliveries and their log are deleted too.',
  params,
  response: noContent,
  status: 204,
})

export const testWebhook = endpoint({
  id: 'test-webhook',
  method: 'POST',
  path: '/v1/webhooks/{webhook_id}/test',
  area,
  auth: 'api_key',
  permission: 'webhooks:write',
  summary: 'Send a test event',
  description: 'An event of type `webhook.test`, signed and sent like any other. Its outcome is in the delivery.',
  params,
  body: z.strictObject({}),
  response: webhookDelivery,
  status: 201,
  errors: ['webhook_disabled'],
  example: {},
})

export const rotateWebhookSecret = endpoint({
  id: 'rotate-webhook-secret',
  method: 'POST',
  path: '/v1/webhooks/{webhook_id}/rotate-secret',
  area,
  auth: 'api_key',
  permission: 'webhooks:write',
  summary: 'Replace a webhook’s secret',
  description:
    'For 24 hours deliveries are signed with both secrets: the header contains two signatures, separated by a space. ' +
    'The new secret is in this response only.',
  params,
  body: z.strictObject({}),
  response: webhookWithSecret,
  errors: ['sign_in_again'],
  example: {},
})

export const listWebhookDeliveries = endpoint({
  id: 'list-webhook-deliveries',
  method: 'GET',
  path: '/v1/webhooks/{webhook_id}/deliveries',
  area,
  auth: 'api_key',
  permission: 'webhooks:read',
  summary: 'List a webhook’s deliveries',
  description:
    'Each with its payload and the log of its attempts. They are stored for 90 days, ' +
    'unless the installation’s RETAIN_DELIVERIES_DAYS says otherwise.',
  params,
  query: pageQuery().extend({
    state: z.enum(DELIVERY_STATES).nullish(),
    event_type: safeString.nullish().describe('One of the event types, or webhook.test.'),
  }),
  response: pageOf(webhookDelivery),
})

export const replayWebhook = endpoint({
  id: 'replay-webhook',
  method: 'POST',
  path: '/v1/webhooks/{webhook_id}/replay',
  area,
  auth: 'api_key',
  permission: 'webhooks:write',
  summary: 'Replay all events since a time',
  description:
    'The events that the webhook subscribes to, oldest first, including those it never got because it was disabled ' +
    'or did not exist yet. Waiting deliveries are not repeated. At most 1,000 per call; while has_more is true, ' +
    'continue with `since` set to `until`.',
  params,
  body: z.strictObject({
    since: timestamp.describe('At most 90 days ago, or what RETAIN_DELIVERIES_DAYS says.'),
    only_failed: optional(z.boolean()).describe('Only events that have not been delivered. false unless given.'),
  }),
  response: z
    .object({
      replayed: z.int(),
      has_more: z.boolean(),
      until: timestamp.nullable().describe('When the last of the replayed events happened; null when there was none.'),
    })
    .meta({ id: 'WebhookReplay' }),
  errors: ['webhook_disabled'],
  example: { since: '2026-11-19T00:00:00Z', only_failed: true },
})

export const getWebhookDelivery = endpoint({
  id: 'get-webhook-delivery',
  method: 'GET',
  path: '/v1/webhook-deliveries/{webhook_delivery_id}',
  area,
  auth: 'api_key',
  permission: 'webhooks:read',
  summary: 'Get a delivery',
  params: deliveryParams,
  response: webhookDelivery,
})

export const replayWebhookDelivery = endpoint({
  id: 'replay-webhook-delivery',
  method: 'POST',
  path: '/v1/webhook-deliveries/{webhook_delivery_id}/replay',
  area,
  auth: 'api_key',
  permission: 'webhooks:write',
  summary: 'Send a delivery again',
  description:
    'Creates a delivery with the same payload and the same `webhook-id`. ' +
    'One that is still waiting is attempted at once instead, and returned itself.',
  params: deliveryParams,
  body: z.strictObject({}),
  response: webhookDelivery,
  status: 201,
  errors: ['webhook_disabled'],
  example: {},
})
