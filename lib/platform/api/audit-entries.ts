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
            'Who did it: a member in the dashboard, an API key, a recipient by their claim link, a buyer, ' +
              'anybody, or Vitrine itself.',
          ),
        id: z.string().nullable(),
        name: z.string().nullable().describe('The member’s email, or the key’s name.'),
      })
      .describe('Who did it.'),
    action: z.string().meta({ example: 'listing.updated' }),
    subject: z.object({ type: z.string(), id: z.string() }).describe('What it was done to.'),
    before: facts.describe('The changed fields before. null when the subject was created.'),
    after: facts.describe('The changed fields after. null when the subject was deleted.'),
    request_id: z.string().describe('The Request-Id of the response; all entries of one request have the same.'),
    client_address: z.string().nullable().describe('The caller’s IP address.'),
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
    'Who did what to which record, its fields before and after, and the caller’s address. ' +
    'Where there is a before and an after, only fields that differ are shown. Secrets are never included.',
  query: pageQuery().extend({
    actor_type: z.enum(ACTOR_TYPES).nullish(),
    actor_id: uuid.nullish(),
    action: safeString.nullish().describe('An action, or its beginning: `listing.` finds all actions on listings.'),
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
  description: 'With all recorded fields, whether they differ or not.',
  params: z.object({ audit_entry_id: uuid }),
  response: auditEntry,
})
