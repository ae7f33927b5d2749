import { z } from 'zod'
import { pageOf, pageQuery } from '../../core/page.ts'
import { count, optional, safeString, timestamp, uuid } from '../../core/wire.ts'
import { endpoint } from './endpoint.ts'
import { STORY } from './story.ts'

const area = 'Snapshots'
const params = z.object({ snapshot_id: uuid })
const name = safeString.trim().min(1)

export const snapshot = z
  .object({
    id: uuid,
    name: z.string(),
    collection_id: uuid,
    block_number: count.nullable().describe('null until the block of the requested time is known.'),
    timestamp: timestamp.nullable().describe('The requested time, where a time was given.'),
    status: z.enum(['PENDING', 'READY', 'FAILED']),
    failure: z.string().nullable(),
    progress: z
      .object({ done: z.int(), total: z.int() })
      .nullable()
      .describe(
        'Moves of the collection’s tokens that are counted, and all up to the block; null unless it is being taken.',
      ),
    holder_count: z.int().nullable().describe('null until it is READY.'),
    created_at: timestamp,
    ready_at: timestamp.nullable(),
  })
  .meta({ id: 'Snapshot' })

export const listSnapshots = endpoint({
  id: 'list-snapshots',
  method: 'GET',
  path: '/v1/snapshots',
  area,
  auth: 'api_key',
  permission: 'snapshots:read',
  summary: 'List snapshots',
  query: pageQuery().extend({ collection_id: uuid.nullish() }),
  response: pageOf(snapshot),
})

export const createSnapshot = endpoint({
  id: 'create-snapshot',
  method: 'POST',
  path: '/v1/snapshots',
  area,
  auth: 'api_key',
  permission: 'snapshots:write',
  summary: 'Take a snapshot of a collection’s holders',
  description:
    'At a block, or at the last block at or before a time. It is READY once that block is confirmed and indexed; ' +
    'the block may be in the future.',
  body: z
    .strictObject({ name, collection_id: uuid, block_number: optional(count), timestamp: optional(timestamp) })
    .superRefine(({ block_number, timestamp: at }, issues) => {
      if (Boolean(at) === (block_number !== null && block_number !== undefined))
        issues.addIssue({
          code: 'custom',
          path: ['block_number'],
          message: 'Give exactly one of block_number and timestamp.',
        })
    }),
  response: snapshot,
  status: 201,
  errors: ['not_found', 'collection_not_deployed'],
  example: {
    name: 'Before the second drop',
    collection_id: STORY.collection,
    block_number: 21000000,
  },
})

export const getSnapshot = endpoint({
  id: 'get-snapshot',
  method: 'GET',
  path: '/v1/snapshots/{snapshot_id}',
  area,
  auth: 'api_key',
  permission: 'snapshots:read',
  summary: 'Get a snapshot',
  params,
  response: snapshot,
})

export const updateSnapshot = endpoint({
  id: 'update-snapshot',
  method: 'PATCH',
  path: '/v1/snapshots/{snapshot_id}',
  area,
  auth: 'api_key',
  permission: 'snapshots:write',
  summary: 'Rename a snapshot',
  params,
  body: z.strictObject({ name: name.optional() }),
  response: snapshot,
  example: { name: 'Before the third drop' },
})

export const getSnapshotHolders = endpoint({
  id: 'get-snapshot-holders',
  method: 'GET',
  path: '/v1/snapshots/{snapshot_id}/holders.csv',
  area,
  auth: 'api_key',
  permission: 'snapshots:read',
  summary: 'A snapshot’s holders as CSV',
  description: 'Two columns, address and quantity, ordered by address.',
  params,
  response: z.string(),
  contentType: 'text/csv',
  stream: 'unnamed',
  errors: ['snapshot_not_ready'],
})
