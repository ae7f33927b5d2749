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
type Form = {
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
/** Changes a record. */
export type ChangingForm = Form & {
  record: (made: Made) => string
  becomes: Record<string, unknown>
  /** What somebody else saves while the form is open, by the API, in a control that the form changes, and how the page writes it. */
  meanwhile: { body: object; control: string; theirs: string } | null
}
/** Makes a record, which is the newest of its list. */
export type MakingForm = Form & { list: (made: Made) => string; becomes: Record<string, unknown> }

/** A person who lives in Berlin: there the clocks are set back on this day, and half past two comes twice. */
const TWICE = '2032-10-31T01:30:15.250Z'
const BEFORE = '2032-10-01T00:30:00.000Z'
const LINES = ' One\n\n  two '
const SITES = ['https://shop.example.com', 'https://other.example.com']
const ADDRESS = '0x15d34AAf54267DB7D7c367839AAf71A00a2C6A65'

/** Values that a form could easily change: texts that look like something else, blanks, line breaks of all kinds. PostgreSQL orders them by length. */
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
  const { collectionId, itemIds } = await makeStock(organizationId, ['Heron', 'Dipper'])
  const [lockedItemId, listedItemId] = itemIds as [string, string]
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
  const listingId = await post('/listings', {
    item_id: listedItemId,
    quantity_listed: 1,
    price: '0',
    currency: 'ETH',
    payment_providers: ['ORGANIZATION'],
    start_time: BEFORE,
    end_time: TWICE,
    campaign_id: campaignId,
  })
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

const organization = ({ organizationId }: Made) => `/organizations/${organizationId}`
const settings = () => '/dashboard/settings'

/** Forms that change something. */
export const CHANGING: ChangingForm[] = [
  {
    actions: ['updateItemAction'],
    page: ({ itemId }) => `/dashboard/items/${itemId}/edit`,
    sends: 'Save',
    record: ({ itemId }) => `/items/${itemId}`,
    enters: {
      'attributes.title': 'Night heron',
      'attributes.description:long': LINES,
      'attributes.image_url:null': 'https://example.com/heron.png',
      'attributes.note:long': LINES,
      'attributes.tags:long': ' a\nd ',
      'traits.0.name': 'list',
      'traits.0.kind': 'json',
      'traits.0.value:long': '[2]',
      'traits.1.name': 'poem',
      'traits.1.kind': 'text',
      'traits.1.value:long': LINES,
      'traits.2.name': 'rare',
      'traits.2.kind': 'boolean',
      'traits.2.value:long': 'false',
      'traits.3.name': 'built in',
      'traits.3.kind': 'number',
      'traits.3.value:long': '2020',
      'traits.4.name': 'count',
      'traits.4.kind': 'text',
      'traits.4.value:long': '7',
      'traits.5.name': 'isNew',
      'traits.5.kind': 'boolean',
      'traits.5.value:long': 'true',
      'traits.6.name': 'price',
      'traits.6.kind': 'text',
      'traits.6.value:long': '13.50',
      'traits.7.name': 'braces',
      'traits.7.kind': 'json',
      'traits.7.value:long': '{"is": "json"}',
      'traits.8.name': 'nothing',
      'traits.8.kind': 'text',
      'traits.8.value:long': '',
      'royalty_info.receiver': ADDRESS,
      'royalty_info.amount_bps:number': '100',
    },
    becomes: {
      attributes: {
        title: 'Night heron',
        description: LINES,
        image_url: 'https://example.com/heron.png',
        note: LINES,
        tags: [' a', 'd '],
        'built in': 2020,
        price: '13.50',
        rare: false,
        poem: LINES,
        nothing: '',
        braces: { is: 'json' },
        list: [2],
        count: '7',
        isNew: true,
      },
      royalty_info: { receiver: ADDRESS, amount_bps: 100 },
    },
    wrong: { control: 'traits.3.name', value: 'poem', says: /Another row has this name/ },
    meanwhile: {
      body: { attributes: { title: 'Moonflower', price: '11.00', year: '2018' } },
      control: 'traits.6.value:long',
      theirs: '“11.00”',
    },
  },
  {
    actions: ['updateListingAction'],
    page: ({ listingId }) => `/dashboard/listings/${listingId}/edit`,
    sends: 'Save',
    record: ({ listingId }) => `/listings/${listingId}`,
    enters: {
      'start_time:utc': '2032-10-02T09:30',
      'end_time:utc': '2032-10-31T02:30',
      'campaign_id:null': '',
      'proof_of_work:flag': true,
    },
    becomes: {
      start_time: '2032-10-02T07:30:00.000Z',
      end_time: '2032-10-31T00:30:00.000Z',
      campaign_id: null,
      proof_of_work: true,
    },
    wrong: { control: 'end_time:utc', value: '2033-03-27T02:30', says: /clocks are set forward/ },
    meanwhile: {
      body: { start_time: '2032-10-05T10:00:00.000Z', proof_of_work: false },
      control: 'start_time:utc',
      theirs: 'Oct 5, 2032',
    },
  },
  {
    actions: ['updateCampaignAction'],
    page: ({ campaignId }) => `/dashboard/campaigns/${campaignId}`,
    sends: 'Save',
    record: ({ campaignId }) => `/marketing-campaigns/${campaignId}`,
    enters: {
      name: 'Autumn drop',
      'email_from:null': 'Friends of the river',
      'reminder_days:number': '4',
      'send_at:utc': '2032-10-31T03:30',
    },
    becomes: {
      name: 'Autumn drop',
      email_from: 'Friends of the river',
      reminder_days: 4,
      send_at: '2032-10-31T02:30:00.000Z',
    },
    wrong: { control: 'name', value: '', says: /required/ },
    meanwhile: { body: { name: 'Summer drop' }, control: 'name', theirs: '“Summer drop”' },
  },
  {
    actions: ['updateItemTypeAction'],
    page: ({ itemTypeId }) => `/dashboard/item-types/${itemTypeId}`,
    sends: 'Rename',
    record: ({ itemTypeId }) => `/item-types/${itemTypeId}`,
    enters: { name: 'Water bird' },
    becomes: { name: 'Water bird' },
    wrong: { control: 'name', value: '', says: /required/ },
    meanwhile: { body: { name: 'Night bird' }, control: 'name', theirs: '“Night bird”' },
  },
  {
    actions: ['updateItemTypeAction'],
    page: ({ unusedTypeId }) => `/dashboard/item-types/${unusedTypeId}`,
    sends: 'Save',
    record: ({ unusedTypeId }) => `/item-types/${unusedTypeId}`,
    enters: { name: 'Day bird' },
    becomes: { name: 'Day bird' },
    wrong: { control: 'name', value: '', says: /required/ },
    meanwhile: { body: { name: 'Dawn bird' }, control: 'name', theirs: '“Dawn bird”' },
  },
  {
    actions: ['updateCollectionAction'],
    page: ({ collectionId }) => `/dashboard/collections/${collectionId}/edit`,
    sends: 'Save',
    record: ({ collectionId }) => `/collections/${collectionId}`,
    enters: {
      name: 'Day garden',
      'description:long': LINES,
      'image_url:null': 'https://example.com/a.png',
      'media.header_image_url:null': 'https://example.com/b.png',
      'media.thumbnail_image_url:null': 'https://example.com/c.png',
      'external_link:null': 'https://example.com/garden',
      default_item_type_id: 'default',
      'royalty_info.receiver': '',
      'royalty_info.amount_bps:number': '',
      reveal_strategy: 'DELAYED',
      'preview_metadata.title': 'Very soon',
      'preview_metadata.description:long': LINES,
      'preview_metadata.image_url': 'https://example.com/d.png',
      'is_public:flag': false,
      'editable_metadata:flag': true,
    },
    becomes: {
      name: 'Day garden',
      description: LINES,
      image_url: 'https://example.com/a.png',
      media: {
        header_image_url: 'https://example.com/b.png',
        thumbnail_image_url: 'https://example.com/c.png',
      },
      external_link: 'https://example.com/garden',
      royalty_info: null,
      preview_metadata: {
        title: 'Very soon',
        description: LINES,
        image_url: 'https://example.com/d.png',
        'a.b': 'kept',
        year: '2019',
      },
      is_public: false,
      editable_metadata: true,
    },
    wrong: { control: 'name', value: '', says: /required/ },
    meanwhile: {
      body: { name: 'Dawn garden', is_public: true },
      control: 'name',
      theirs: '“Dawn garden”',
    },
  },
  {
    actions: ['updateWebhookAction'],
    page: ({ webhookId }) => `/dashboard/webhooks/${webhookId}/edit`,
    sends: 'Save',
    record: ({ webhookId }) => `/webhooks/${webhookId}`,
    enters: { name: 'Other backend', url: 'https://other.example.com/hooks', which: 'all' },
    becomes: { name: 'Other backend', url: 'https://other.example.com/hooks', events: [] },
    wrong: { control: 'url', value: 'shop', says: /./ },
    meanwhile: { body: { name: 'Third backend' }, control: 'name', theirs: '“Third backend”' },
  },
  {
    actions: ['renameSnapshotAction'],
    page: () => '/dashboard/snapshots',
    opens: /^Rename/,
    sends: 'Rename it',
    record: ({ snapshotId }) => `/snapshots/${snapshotId}`,
    enters: { name: 'After the drop' },
    becomes: { name: 'After the drop' },
    wrong: { control: 'name', value: '', says: /required/ },
    meanwhile: { body: { name: 'During the drop' }, control: 'name', theirs: '“During the drop”' },
  },
  {
    actions: ['changeRoleAction'],
    page: () => '/dashboard/members',
    opens: /^Change role of second/,
    sends: 'Change it',
    record: ({ memberId }) => `/members/${memberId}`,
    enters: { role: 'VIEWER' },
    becomes: { role: 'VIEWER' },
    meanwhile: { body: { role: 'ADMIN' }, control: 'role', theirs: 'ADMIN' },
  },
  {
    actions: ['updatePerkAction'],
    page: ({ lockedItemId }) => `/dashboard/items/${lockedItemId}`,
    opens: /^Edit$/,
    sends: 'Save',
    record: ({ perkId }) => `/perks/${perkId}`,
    enters: { title: 'How it was made', 'text:long': 'one\n\n  two', 'is_public:flag': false },
    becomes: { title: 'How it was made', text: 'one\n\n  two', is_public: false },
    wrong: { control: 'title', value: '', says: /required/ },
    meanwhile: { body: { title: 'How it came to be' }, control: 'title', theirs: '“How it came to be”' },
  },
  {
    actions: ['updateEmailIntegrationAction'],
    page: () => '/dashboard/settings/email',
    sends: 'Save the changes',
    record: ({ mailId }) => `/email-integrations/${mailId}`,
    enters: {
      'config.email_from': 'Gallery <news@gallery.example>',
      'config.email_reply_to:null': 'hello@gallery.example',
      'config.host': 'mail.gallery.example',
      'config.port:number': '465',
      'config.username': 'news',
      'config.password': 'other',
    },
    becomes: {
      config: {
        email_from: 'Gallery <news@gallery.example>',
        email_reply_to: 'hello@gallery.example',
        host: 'mail.gallery.example',
        port: 465,
        username: 'news',
      },
    },
    wrong: { control: 'config.email_from', value: '', says: /required/ },
    meanwhile: { body: { host: 'third.gallery.example' }, control: 'config.host', theirs: '“third.gallery.example”' },
  },
  {
    actions: ['setProfileAction'],
    page: settings,
    sends: 'Save what people see',
    record: organization,
    enters: {
      name: 'The Lake Society',
      'terms_url:null': 'https://lake.example.com/terms',
      'contact_email:null': 'hello@lake.example.com',
      'locale:null': 'fr',
      'shows_vitrine:flag': false,
    },
    becomes: {
      name: 'The Lake Society',
      terms_url: 'https://lake.example.com/terms',
      contact_email: 'hello@lake.example.com',
      locale: 'fr',
      shows_vitrine: false,
    },
    wrong: { control: 'name', value: '', says: /required/ },
    meanwhile: { body: { locale: 'de' }, control: 'locale:null', theirs: 'German' },
  },
  {
    actions: ['setLookAction'],
    page: settings,
    sends: 'Save the look',
    record: organization,
    enters: { 'brand.logo_url:null': '', 'brand.colour:null': '#123456', 'brand.footer:long': 'One\n\n  two' },
    becomes: { brand: { colour: '#123456', footer: 'One\n\n  two' } },
    wrong: { control: 'brand.colour:null', value: '#12', says: /#rrggbb/ },
    meanwhile: { body: { brand: { colour: '#223344' } }, control: 'brand.colour:null', theirs: '“#223344”' },
  },
  {
    actions: ['setDomainAction'],
    page: settings,
    sends: 'Save and check',
    record: organization,
    enters: { 'web_domain:null': 'gallery.example.com' },
    becomes: { web_domain: { name: 'gallery.example.com' } },
    wrong: { control: 'web_domain:null', value: 'no domain', says: /./ },
    meanwhile: null,
  },
  {
    actions: ['setPayoutAction'],
    page: settings,
    sends: 'Save the address',
    record: organization,
    enters: { 'payout_address:null': ADDRESS },
    becomes: { payout_address: ADDRESS },
    wrong: { control: 'payout_address:null', value: '0x12', says: /./ },
    meanwhile: {
      body: { payout_address: '0x70997970C51812dc3A010C7d01b50e0d17dc79C8' },
      control: 'payout_address:null',
      theirs: '“0x70997970C51812dc3A010C7d01b50e0d17dc79C8”',
    },
  },
  {
    actions: ['setEmbeddingAction'],
    page: settings,
    sends: 'Save the sites',
    record: organization,
    enters: { 'embed_origins:lines': SITES.join('\n') },
    becomes: { embed_origins: SITES },
    wrong: { control: 'embed_origins:lines', value: 'shop', says: /origin/ },
    meanwhile: {
      body: { embed_origins: ['https://a.example.com'] },
      control: 'embed_origins:lines',
      theirs: 'a.example',
    },
  },
  {
    actions: ['setTransferBudgetAction'],
    page: settings,
    sends: 'Save the amount',
    record: () => '/transfer-budgets',
    enters: { 'daily_wei:null': '0.125' },
    becomes: { results: [{ daily_wei: '125000000000000000', is_usual: false }] },
    wrong: { control: 'daily_wei:null', value: 'much', says: /number/ },
    meanwhile: null,
  },
]

/** Forms that make something. */
export const MAKING: MakingForm[] = [
  {
    actions: ['createItemAction'],
    page: ({ collectionId }) => `/dashboard/items/new?collection_id=${collectionId}`,
    sends: 'Create the item',
    enters: {
      collection_id: 'Night garden',
      'attributes.title': 'Heron',
      'attributes.description:long': LINES,
      'attributes.note:long': ' 12.50 ',
      'attributes.tags:long': 'a\nb',
      'attributes.image_url:null': 'https://example.com/heron.png',
      'royalty_info.receiver': ADDRESS,
      'royalty_info.amount_bps:number': '100',
    },
    list: ({ collectionId }) => `/items?collection_id=${collectionId}`,
    becomes: {
      attributes: {
        title: 'Heron',
        description: LINES,
        note: ' 12.50 ',
        tags: ['a', 'b'],
        image_url: 'https://example.com/heron.png',
      },
      royalty_info: { receiver: ADDRESS, amount_bps: 100 },
    },
    wrong: { control: 'attributes.title', value: '', says: /required/ },
  },
  {
    actions: ['createCampaignAction'],
    page: () => '/dashboard/campaigns/new',
    sends: 'Make it',
    enters: {
      name: 'Winter drop',
      'email_from:null': 'Friends',
      'reminder_days:number': '5',
      'send_at:utc': '2032-10-31T02:30',
    },
    list: () => '/marketing-campaigns',
    becomes: { name: 'Winter drop', email_from: 'Friends', reminder_days: 5, send_at: '2032-10-31T00:30:00.000Z' },
    wrong: { control: 'name', value: '', says: /required/ },
  },
  {
    actions: ['createCollectionAction'],
    page: () => '/dashboard/collections/new',
    sends: 'Create the collection',
    enters: {
      name: 'Meadow',
      'description:long': LINES,
      'image_url:null': 'https://example.com/a.png',
      'media.header_image_url:null': 'https://example.com/b.png',
      'media.thumbnail_image_url:null': 'https://example.com/c.png',
      'external_link:null': 'https://example.com/meadow',
      default_item_type_id: 'Default: title, description, image and whatever you add',
      'royalty_info.receiver': ADDRESS,
      'royalty_info.amount_bps:number': '100',
      reveal_strategy: 'INSTANT',
      'is_public:flag': false,
      'editable_metadata:flag': true,
    },
    list: () => '/collections',
    becomes: { name: 'Meadow', description: LINES, is_public: false, editable_metadata: true },
    wrong: { control: 'name', value: '', says: /required/ },
  },
  {
    actions: ['createItemTypeAction'],
    page: () => '/dashboard/item-types/new',
    sends: 'Create the item type',
    enters: { name: 'Flower' },
    list: () => '/item-types',
    becomes: { name: 'Flower' },
    wrong: { control: 'name', value: '', says: /required/ },
  },
  {
    actions: ['inviteAction'],
    page: () => '/dashboard/members',
    sends: 'Invite',
    enters: { email: 'third@example.com', role: 'Viewer' },
    list: () => '/members',
    becomes: { email: 'third@example.com', role: 'VIEWER' },
    wrong: { control: 'email', value: 'third', says: /./ },
  },
  {
    actions: ['createWebhookAction'],
    page: () => '/dashboard/webhooks/new',
    sends: 'Create the webhook',
    enters: { name: 'New backend', url: 'https://new.example.com/hooks', which: 'all' },
    list: () => '/webhooks',
    becomes: { name: 'New backend', url: 'https://new.example.com/hooks', events: [] },
    wrong: { control: 'name', value: '', says: /required/ },
  },
  {
    actions: ['createKey'],
    page: () => '/dashboard/api-keys/new',
    sends: 'Create the key',
    enters: { name: 'Shop', mode: 'TEST', 'permissions:list': 'items:write' },
    list: () => '/api-keys',
    becomes: { name: 'Shop', mode: 'TEST' },
    wrong: { control: 'name', value: '', says: /required/ },
  },
  {
    actions: ['sendClaimAction'],
    page: ({ lockedItemId }) => `/dashboard/claims/new?item_id=${lockedItemId}`,
    sends: 'Send it',
    enters: { email: 'ada@example.com', 'days:number': '7 days', campaign_id: 'None', tx_payer: 'SELLER' },
    list: () => '/email-claims',
    becomes: { email: 'ada@example.com' },
    wrong: { control: 'email', value: 'ada', says: /./ },
  },
]

/** Forms whose story is told elsewhere, since they need more than a page, with words of that story. */
export const ELSEWHERE: Record<string, [file: string, words: string]> = {
  createListingAction: ['e2e/selling-dashboard.spec.ts', 'Put it on sale'],
  createSnapshotAction: ['e2e/selling-dashboard.spec.ts', 'New snapshot'],
  changeAllowListAction: ['e2e/selling-dashboard.spec.ts', 'Add them'],
  undoAllowListAction: ['e2e/selling-dashboard.spec.ts', 'Remove them'],
  createEmailIntegrationAction: ['e2e/email-settings.spec.ts', 'Save the settings'],
  sendTestMailAction: ['e2e/email-settings.spec.ts', 'Send a test message'],
  saveTemplateAction: ['e2e/campaigns.spec.ts', 'Version 1 is saved'],
  deployAction: ['e2e/dashboard.spec.ts', 'Deploy'],
  lockItemAction: ['e2e/dashboard.spec.ts', 'Lock the item'],
  lockAllAction: ['e2e/dashboard.spec.ts', 'Lock all'],
  lockManyAction: ['e2e/lists.spec.ts', 'Lock them'],
  mintAction: ['e2e/dashboard.spec.ts', 'Mint it'],
  resendClaimAction: ['e2e/dashboard.spec.ts', 'Resend'],
  replaySinceAction: ['e2e/webhooks.spec.ts', 'Replay'],
  sendManyAction: ['e2e/lists.spec.ts', 'Send them'],
  saveViewAction: ['e2e/lists.spec.ts', 'Save this view'],
  renameViewAction: ['e2e/lists.spec.ts', 'Rename'],
  firstCollectionAction: ['e2e/first-day.spec.ts', 'Create the collection'],
  firstItemAction: ['e2e/first-day.spec.ts', 'Create the item'],
  firstClaimAction: ['e2e/first-day.spec.ts', 'Send it'],
  setPasskeysAction: ['e2e/passkeys.spec.ts', 'Save'],
  setOidcRolesAction: ['security/oidc.test.ts', 'follows_oidc_roles'],
}
