import { z } from 'zod'
import { uuid } from '../../core/wire.ts'
import { adminCollection, reveal } from './collection-record.ts'
import { endpoint } from './endpoint.ts'

const area = 'Collections'
const params = z.object({ collection_id: uuid })

export const revealCollection = endpoint({
  id: 'reveal-collection',
  method: 'POST',
  path: '/v1/collections/{collection_id}/reveal',
  area,
  auth: 'api_key',
  permission: 'collections:write',
  summary: 'Reveal a collection',
  description:
    'With reveal_strategy DELAYED, once all items are locked: their contents are shuffled among them with a seed ' +
    'that was committed to from the start, and are shown from then on. It can’t be undone.',
  params,
  body: z.strictObject({}),
  response: adminCollection,
  errors: ['reveal_impossible', 'already_revealed', 'mode_mismatch', 'gas_budget_spent'],
  example: {},
})

export const getReveal = endpoint({
  id: 'get-reveal',
  method: 'GET',
  path: '/public/v1/collections/{collection_id}/reveal',
  area,
  auth: 'anonymous',
  summary: 'Get the proof of a delayed reveal',
  description:
    'Before the reveal, the commitment; after it, all that is needed to repeat the shuffle. ' +
    'docs/reveal.md says how to verify it. 404 where nothing was ever hidden.',
  params,
  response: reveal.extend({
    algorithm: z
      .string()
      .nullable()
      .describe('How the contents were shuffled; null before the reveal, like what follows.'),
    contents: z
      .array(z.string())
      .nullable()
      .describe('The hash of each locked item’s contents before the shuffle, in the order of their token ids.'),
    tokens: z
      .array(z.object({ token_id: z.string(), content_hash: z.string() }))
      .nullable()
      .describe('The contents of each token.'),
  }),
})
