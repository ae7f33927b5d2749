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
    'With reveal_strategy DELAYED, once all its items are locked: what they hold is dealt among them at random, by a seed that was committed to from the start, and shown from then on. It can’t be undone.',
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
  summary: 'The proof of a delayed reveal',
  description:
    'Before it, the commitment; after it, all that is needed to deal again what was dealt. How to check it is written in docs/reveal.md. 404 where nothing was ever hidden.',
  params,
  response: reveal.extend({
    algorithm: z.string().nullable().describe('How it was dealt; null until then, like what follows.'),
    contents: z
      .array(z.string())
      .nullable()
      .describe('The hash of what each locked item held before, in the order of their token ids.'),
    tokens: z
      .array(z.object({ token_id: z.string(), content_hash: z.string() }))
      .nullable()
      .describe('What each token got.'),
  }),
})
