import type { APIRequestContext } from '@playwright/test'
import { inDatabase } from './database.ts'
import { asMember } from './newcomer.ts'
import { makeStock } from './stock.ts'

/** What the forms are about. */
export type Made = Record<
  | 'organizationId'
  | 'collectionId'
  | 'itemId'
  | 'lockedItemId'
  | 'listingId'
  | 'paidListingId'
  | 'campaignId'
  | 'webhookId'
  | 'itemTypeId'
  | 'unusedTypeId'
  | 'snapshotId'
  | 'memberId'
  | 'perkId'
  | 'mailId',
  string
>

type Entered = string | boolean
type Wrong = { control: string; value: string; says: RegExp }
export type Form = {
  /** The server actions that it is sent to. */
  actions: string[]
  page: (made: Made) => string
  /** The button that opens it in a dialog. */
  opens?: RegExp
  /** The button that sends it. */
  sends: string
  /** All its controls, by name, with what is entered in them. A control that another one shows comes after that one. */
  enters: Record<string, Entered>
  /** What is refused, where something can be. */
  wrong?: Wrong
}

/** A person who lives in Berlin: there the clocks are set back on this day, and half past two comes twice. */
const TWICE = '2032-10-31T01:30:15.250Z'
const BEFORE = '2032-10-01T00:30:00.000Z'
/** None of those that the form offers. */
const LONGEST_CLAIM_SECONDS = 3650 * 86_400
/** A text whose blanks and line breaks a form must keep. */
export const LINES = ' One\n\n  two '
export const ADDRESS = '0x15d34AAf54267DB7D7c367839AAf71A00a2C6A65'

/**
 * Values that a form could easily change: texts that look like something else, blanks, line breaks of all kinds.
 * PostgreSQL orders them by length.
 */
const TRICKY = {
  title: 'Moonflower',
  description: ' two\r\nlines \n',
  year: '2019',
  price: '12.50',
  rare: 'true',
  poem: 'one\n\ntwo ',
  note: 'one\ntwo',
  tags: [' a', 'b\nc'],
  nothing: '',
  braces: '{"not": json',
  list: [1, { a: ' b' }],
  count: 7,
  isNew: false,
}

/** One of everything that a form changes, made by the API. */
export async function makeRecords(request: APIRequestContext, organizationId: string): Promise<Made> {
  const post = async (path: string, body: unknown) => (await asMember<{ id: string }>(request, 'POST', path, body)).id
  const { collectionId, itemIds } = await makeStock(organizationId, ['Heron', 'Dipper', 'Wren'])
  const [lockedItemId, listedItemId, soldItemId] = itemIds as [string, string, string]
  const campaignId = await post('/marketing-campaigns', { name: 'Spring drop', send_at: TWICE, reminder_days: 2 })
  const unusedTypeId = await post('/item-types', {
    name: 'Bird',
    schema: { type: 'object', properties: { title: { type: 'string' }, wingspan: { type: 'integer', minimum: 1 } } },
  })
  const itemTypeId = await post('/item-types', {
    name: 'Anything',
    schema: {
      type: 'object',
      properties: {
        title: { type: 'string' },
        note: { type: 'string' },
        tags: { type: 'array', items: { type: 'string' } },
      },
    },
  })
  const openId = await post('/collections', {
    name: 'Night garden',
    description: ' two\r\nlines \n',
    preview_metadata: { title: 'Soon', 'a.b': 'kept', year: '2019' },
    reveal_strategy: 'DELAYED',
    default_item_type_id: itemTypeId,
    royalty_info: { receiver: ADDRESS, amount_bps: 250 },
  })
  const itemId = await post('/items', { collection_id: openId, attributes: TRICKY })
  const offer = {
    quantity_listed: 1,
    price: '0',
    currency: 'ETH',
    payment_providers: ['ORGANIZATION'],
    start_time: BEFORE,
    end_time: TWICE,
    campaign_id: campaignId,
  }
  const listingId = await post('/listings', {
    ...offer,
    item_id: listedItemId,
    policy: { email_claim_duration: LONGEST_CLAIM_SECONDS },
  })
  const paidListingId = await post('/listings', {
    ...offer,
    item_id: soldItemId,
    policy: { payment_session_duration: { timeout_seconds: 86_400, provider_override: { CARD_PROVIDER: 60 } } },
  })
  // As if a way to be paid had been set up.
  await inDatabase('UPDATE listings SET price = 1500 WHERE id = $1', [paidListingId])
  const [snapshot] = await inDatabase<{ id: string }>(
    `INSERT INTO snapshots (id, organization_id, collection_id, name, block_number, taken_to, ready_at, holder_count, updated_at) VALUES (gen_random_uuid(), $1, $2, 'Before the drop', 1, 1, now(), 0, now()) RETURNING id`,
    [organizationId, collectionId],
  )
  return {
    organizationId,
    collectionId: openId,
    itemId,
    lockedItemId,
    listingId,
    paidListingId,
    campaignId,
    itemTypeId,
    unusedTypeId,
    snapshotId: snapshot!.id,
    webhookId: await post('/webhooks', {
      name: 'Shop backend',
      url: 'https://shop.example.com/hooks',
      events: ['item.transferred', 'item.minted'],
    }),
    memberId: await post('/members', { email: `second-${organizationId}@example.com`, role: 'EDITOR' }),
    perkId: await post('/perks', { item_id: lockedItemId, title: 'How it was drawn', text: 'one\r\n\n two' }),
    mailId: await post('/email-integrations', {
      provider: 'CUSTOM_SMTP',
      config: {
        email_from: 'Gallery <drops@gallery.example>',
        username: 'drops',
        password: 'secret',
        host: 'smtp.gallery.example',
        port: 587,
      },
    }),
  }
}
