import { z } from 'zod'
import { pageOf, pageQuery } from '../../core/page.ts'
import { safeString, timestamp, uuid } from '../../core/wire.ts'
import { endpoint } from './endpoint.ts'

const area = 'Audit log'

export const ACTOR_TYPES = ['member', 'api_key', 'claim', 'purchase', 'anonymous', 'system'] as const

const facts = z.record(z.string(), z.unknown()).nullable()

export const auditEntry = z
  .object({
    id: uuid,
    actor: z
      .object({
        type: z
          .enum(ACTOR_TYPES)
          .describe(
            'Who did it: a member in the dashboard, an API key, a recipient by their claim link, a buyer, anybody, or Vitrine itself.',
          ),
        id: z.string().nullable(),
        name: z.string().nullable().describe('The member’s email, or the key’s name.'),
      })
      .describe('Who.'),
    action: z.string().meta({ example: 'listing.updated' }),
    subject: z.object({ type: z.string(), id: z.string() }).describe('What it was done to.'),
    before: facts.describe('What changed, as it was. null when the subject began here.'),
    after: facts.describe('What changed, as it is from here on. null when the subject ended here.'),
    request_id: z.string().describe('The Request-Id of the answer; entries of one request have it in common.'),
    client_address: z.string().nullable().describe('From where.'),
    created_at: timestamp,
  })
  .meta({ id: 'AuditEntry' })

export const listAuditEntries = endpoint({
  id: 'list-audit-entries',
  method: 'GET',
  path: '/v1/audit-entries',
  area,
  auth: 'api_key',
  permission: 'audit:read',
  summary: 'List audit entries',
  description:
    'Who did what to what, before and after, and from where. Where there is a before and an after, only what differs is shown. Secrets are never in it.',
  query: pageQuery().extend({
    actor_type: z.enum(ACTOR_TYPES).nullish(),
    actor_id: uuid.nullish(),
    action: safeString.nullish().describe('An action, or how it begins: `listing.` finds all of a listing’s.'),
    subject_type: safeString.nullish(),
    subject_id: safeString.nullish(),
    from: timestamp.nullish().describe('Not before this time.'),
    to: timestamp.nullish().describe('Before this time.'),
  }),
  response: pageOf(auditEntry),
})

export const getAuditEntry = endpoint({
  id: 'get-audit-entry',
  method: 'GET',
  path: '/v1/audit-entries/{audit_entry_id}',
  area,
  auth: 'api_key',
  permission: 'audit:read',
  summary: 'Get an audit entry',
  description: 'With everything that was noted, whether it differs or not.',
  params: z.object({ audit_entry_id: uuid }),
  response: auditEntry,
})
