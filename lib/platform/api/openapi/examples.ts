import { STORY } from '../story.ts'
import { DAY_AFTER, MEDIA, NOON, ORIGIN, SOON } from './field-examples.ts'
import { SHOWN_ATTRIBUTES, WALLET_RECORDS } from './wallet-examples.ts'

const DIGEST = '9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6c15b0f00a08'
const SIGNATURE = `0x${'5b'.repeat(32)}${'2c'.repeat(32)}1b`

const purchase = { id: STORY.purchase, status: 'CONFIRMED', email: 'ada@example.com' }
const listing = { id: STORY.listing, collection_id: null, status: 'ACTIVE', max_per_user: 2 }
const sold = { quantity_open: 0, quantity_confirmed: 12, policy_type: 'FCFS' }
const collection = { id: STORY.collection, reveal: null, description: 'Flowers that open after dark.' }
const claim = { id: STORY.claim, active: false, claimed: true, inactive_reason: 'CLAIMED', claimed_at: DAY_AFTER }
const claimLink = { claim_url: `${ORIGIN}/claim/3pQm8sVZk1`, redeemed_at: SOON, delivered_at: DAY_AFTER }
const importCounts = { row_count: 2, ok_count: 2, columns: [{ name: 'title', means: 'title' }], unknown_columns: [] }
const imported = { id: STORY.import, kind: 'ITEMS', file_name: 'flowers.csv', ...importCounts }
const figures = { from: '2026-11-20T00:00:00.000Z', to: '2026-11-21T00:00:00.000Z', interval: 'DAY' }
const webhook = { id: STORY.webhook, name: 'Shop backend', url: 'https://shop.example.com/hooks/vitrine' }
const apiKey = { id: STORY.apiKey, name: 'Shop backend', permissions: ['items:read', 'email_claims:write'] }
const payments = { id: STORY.integration, adapter: 'STRIPE', status: 'ACTIVE', account_id: 'acct_1NightGallery' }
const mintRequest = { id: STORY.mintRequest, state: 'COMPLETED' }
const template = {
  subject: '{{organization_name}} has something for you',
  source: 'ORGANIZATION',
  format: 'MJML',
  locale: null,
}

/** Values of a record’s fields, or a whole value, by the name of the schema, the operation or the field that it is. */
export const RECORDS: Record<string, unknown> = {
  // Collections and items
  Collection: collection,
  AdminCollection: { ...collection, owner: STORY.grace, is_public: true, token_type: 'ERC721' },
  deployment: { status: 'SUCCESS', type: 'PLATFORM', failure: null },
  'request-deployment': { status: 'PENDING' },
  'get-reveal': {
    state: 'REVEALED',
    commitment: DIGEST,
    provenance: DIGEST,
    revealed_at: DAY_AFTER,
    seed: DIGEST,
    proof_url: `${ORIGIN}/public/v1/collections/${STORY.collection}/reveal`,
    algorithm: 'fisher-yates-sha256',
    contents: [DIGEST],
    tokens: [{ token_id: '7', content_hash: DIGEST }],
  },
  'collection-stats': { attributes: { colour: { white: 1, grey: 1 } }, items: 2, minted: 1, owners: 1 },
  ItemType: {
    id: STORY.itemType,
    name: 'Flower',
    schema: { type: 'object', required: ['title', 'petals'], properties: { petals: { type: 'integer', minimum: 3 } } },
  },
  AdminItem: { id: STORY.item, kept_by: null, max_supply: 1 },
  PublicItem: { attributes: SHOWN_ATTRIBUTES, description: 'Opens at nine.' },
  Item: { attributes: SHOWN_ATTRIBUTES, listing: null },
  Hold: { id: STORY.suspension, holder_type: 'LISTING', holder_id: STORY.listing },
  'list-item-holds': { max_supply: 1, minted: 0, held: 1, free: 0 },
  HistoryEntry: { type: 'MINT', timestamp: SOON },
  from: { address: STORY.zeroAddress },
  Found: { kind: 'ITEM', detail: 'Night garden, token 7' },
  MediaFile: { id: STORY.media, name: 'moonflower.png', pinning: 'PINNED' },
  'token-metadata': {
    name: 'Moonflower',
    description: 'Opens at nine.',
    image: `${MEDIA}/moonflower-full.webp`,
    attributes: [{ trait_type: 'colour', value: 'white' }],
  },
  'contract-metadata': {
    name: 'Night garden',
    symbol: 'NIGHT',
    description: 'Flowers that open after dark.',
    image: `${MEDIA}/night-garden.png`,
  },

  // Wallets
  ...WALLET_RECORDS,

  // Networks
  Network: { id: STORY.network, name: 'Local' },
  PaymentToken: { address: STORY.contract, decimals: 6, name: 'USD Coin (test)', symbol: 'USDC' },
  'get-capability': {
    capability: 'MINT_VOUCHER',
    abi: [{ type: 'function', name: 'hasRole', stateMutability: 'view', inputs: [], outputs: [{ type: 'bool' }] }],
  },
  relay: { jsonrpc: '2.0', id: 1, result: '0x7a69' },
  voucher: {
    currency: STORY.zeroAddress,
    expiry: 1_795_176_000,
    initial_recipient: STORY.grace,
    initial_recipient_amount: '0',
    net_recipient: STORY.grace,
    nonce: 42,
    price: '20000000000000000',
    quantity: 1,
    token_id: '7',
    token_uri: null,
  },
  MintVoucher: { minter: STORY.ada, signature: SIGNATURE },
  ClaimView: { voucher: null },
  RedeemResult: { status: 'CLAIMED', voucher: null },

  // Listings and purchases
  Listing: { ...listing, ...sold },
  PublicListing: { ...listing, ...sold },
  AdminListing: { ...listing, ...sold },
  AdminListingInFull: { ...listing, ...sold, preflight: [] },
  policy: { type: 'FCFS', max_per_user: 2, snapshot_id: null, provider_override: {} },
  P11: { is_eligible: true, quantity_allowed: '2', quantity_claimed: '1', reason: null },
  ListingEligibility: { is_eligible: true, quantity_allowed: '2', quantity_claimed: '1' },
  'change-allow-list': { changed: 2, total_results: 2 },
  Allowance: { eth_address: STORY.ada, email_address: null },
  ProofChallenge: { challenge: '1795176600000.QmVmb3JlIG5pbmU', difficulty: 18 },
  PurchaseIntent: { ...purchase, data: null },
  CreatedPurchaseIntent: {
    ...purchase,
    status: 'PENDING',
    fulfillment_status: 'PENDING',
    confirmed_at: null,
    completed_at: null,
    secret: 'q7Vd2LhX0sTnR4yB8mKcZw',
    data: {
      account_id: 'acct_1NightGallery',
      client_secret: 'pi_3Moonflower_secret_8sVZk1',
      mode: 'TEST',
      publishable_key: 'pk_test_51Vitrine',
      session_id: STORY.purchase,
      provider_price: { currency: 'EUR', price: '1999' },
    },
  },
  AdminPurchaseIntent: { ...purchase, origin: 'shop', refundable: true },
  payment: {
    id: STORY.payment,
    state: 'SUCCEEDED',
    amount: '1999',
    refunded: '0',
    fee: '50',
    provider_payment_id: 'pi_3Moonflower',
    failure: null,
    paid_at: SOON,
  },
  PurchasedUnits: { image: `${MEDIA}/moonflower-thumb.webp` },
  PurchaseHappening: { at: SOON, status: 'CONFIRMED', fulfillment_status: 'ASSIGNED' },
  Delivery: { state: 'CONFIRMED', explorer_url: null },
  typed_data: {
    domain: { name: 'Vitrine', version: '1', chainId: STORY.network },
    types: {
      PurchaseAction: [
        { name: 'listingId', type: 'string' },
        { name: 'address', type: 'address' },
        { name: 'action', type: 'string' },
        { name: 'nonce', type: 'string' },
      ],
    },
    primaryType: 'PurchaseAction',
    message: {
      listingId: STORY.listing,
      address: STORY.ada,
      action: 'TAKE_OVER',
      nonce: '1795176600000.ZXhhbXBsZQ.c2lnbmF0dXJl',
    },
  },
  PaymentIntegration: payments,
  'create-payment-integration': {
    ...payments,
    status: 'PENDING',
    onboarding_url: `${ORIGIN}/onboarding/1NightGallery`,
  },
  'refresh-payment-integration': { ...payments, onboarding_url: null },
  Sales: { gross: '23988', refunded: '0', net: '23988', purchases: 12, units: 12, currency_address: null },
  'count-sales': figures,
  sales: { start: '2026-11-20T00:00:00.000Z' },

  // Claims and mail
  EmailClaim: { ...claim, ...claimLink, voucher_id: null },
  EmailClaimInFull: { ...claim, ...claimLink, voucher_id: null },
  EmailClaimVerdict: { index: 0, status: 201, problem: null },
  ClaimMail: { id: STORY.alarm, template_type: 'REDEEM_NFT', state: 'SENT', attempts: 1, sent_at: NOON },
  ClaimFunnel: { created: 40, sent: 40, delivered: 39, bounced: 1, opened: 31, pin_asked: 28, claimed: 27 },
  'count-claims': figures,
  'count-campaign': { ...figures, unsubscribed: 1 },
  MarketingCampaign: {
    id: STORY.campaign,
    name: 'Spring drop',
    email_from: 'Museum of Dawn',
    reminder_days: 3,
    send_at: null,
    locale: null,
    created_at: '2026-11-20T12:00:00.000+00:00',
  },
  EmailTemplate: {
    ...template,
    variants: ['de'],
    text: 'Take “{{item_title}}”:\n{{claim_url}}\n',
    body:
      '<mjml><mj-body><mj-section><mj-column><mj-button href="{{claim_url}}">Take ' +
      'it</mj-button></mj-column></mj-section></mj-body></mjml>',
  },
  EmailTemplateInUse: template,
  EmailWords: { words: { de: { 'mail.gift.button': 'Auspacken' } }, glossary: ['Vitrine'] },
  Version: { version: 'n4bQgYhMfWWaL-qgxVrQFaO_TxsrC4Is0V1sFbDwCgg' },
  versions: { ...template, version: 2 },
  'list-email-template-variables': {
    variables: [
      {
        name: 'claim_url',
        meaning: 'The link that redeems the claim.',
        sample: `${ORIGIN}/claim/3pQm8sVZk1`,
        required: true,
        optional: false,
        url: true,
      },
    ],
  },
  'preview-email-template': {
    subject: 'For you: Moonflower',
    text: 'Take “Moonflower”.',
    html: '<html><body>Take “Moonflower”.</body></html>',
    errors: [],
  },
  EmailIntegration: { id: STORY.integration, provider: 'MAIL_API', status: 'ACTIVE', activated_at: NOON },
  config: { email_from: 'Night Gallery <drops@gallery.example>', domain: 'mg.gallery.example', api_key_set: true },
  'send-test-mail': { message_id: '<moonflower@gallery.example>', provider_id: null, sent_at: NOON },
  Suppression: { id: STORY.suspension, reason: 'BOUNCE', detail: '550 5.1.1 No such mailbox.' },

  // Minting
  MintRequest: mintRequest,
  MintRequestWithOthers: mintRequest,
  Transaction: {
    id: STORY.transaction,
    tx_type: 'ADMIN_MINT',
    state: 'COMPLETED',
    on_chain_status: 'SUCCESS',
    operator: STORY.grace,
    nonce: 17,
    mint_requests: 1,
    gas_used: '81204',
    gas_cost_wei: '121806000000000',
    submitted_at: SOON,
  },
  Snapshot: { id: STORY.snapshot, name: 'Before the second drop', status: 'READY', progress: null, holder_count: 31 },

  // The organization
  Organization: {
    id: STORY.organization,
    name: 'Night Gallery',
    payout_address: STORY.grace,
    payout_warnings: [],
    brand: { logo_url: null, colour: '#00594b', footer: 'Night Gallery, Dawn Street 9' },
  },
  Member: { id: STORY.member, email: 'grace@example.com', name: 'Grace', role: 'EDITOR', status: 'ACTIVE' },
  web_domain: {
    name: 'gallery.example.com',
    is_shown: true,
    value: `vitrine-organization=${STORY.organization}`,
  },
  user: { email: 'grace@example.com', name: 'Grace', role: 'EDITOR' },
  'get-me': { permissions: ['items:read', 'items:write'] },
  ApiKey: { ...apiKey, expires_at: null },
  'create-api-key': { ...apiKey, expires_at: null, key: 'vt_test_1a2B3c4D5e6F7g8H9i0JkLmNoPqRsTuVwXyZ01' },
  AuditEntry: { id: STORY.event, action: 'listing.updated', before: { status: 'ACTIVE' }, after: { status: 'PAUSED' } },
  actor: { type: 'api_key', id: STORY.apiKey, name: 'Shop backend' },
  subject: { type: 'listing', id: STORY.listing },

  // Imports
  Import: { ...imported, state: 'COMPLETED', done_count: 2 },
  JudgedImport: { ...imported, waiting_count: 2 },
  options: { item_id: null },
  ImportRow: {
    line: 2,
    fields: { title: 'Moonflower', colour: 'white' },
    verdict: 'OK',
    reasons: [],
    state: 'DONE',
    result_id: STORY.item,
    done_at: SOON,
  },

  // Webhooks
  Webhook: { ...webhook, events: ['purchase.confirmed', 'purchase.fulfilled'] },
  WebhookWithSecret: { ...webhook, events: ['purchase.confirmed', 'purchase.fulfilled'] },
  last_delivery: { id: STORY.delivery, state: 'DELIVERED' },
  WebhookDelivery: {
    id: STORY.delivery,
    event_id: STORY.event,
    message_id: STORY.event,
    state: 'DELIVERED',
    attempts: 1,
    delivered_at: NOON,
    replay_of: null,
    payload: {
      type: 'purchase.confirmed',
      id: STORY.event,
      organization_id: STORY.organization,
      timestamp: NOON,
      data: { purchase_intent_id: STORY.purchase },
    },
  },
  Event: { id: STORY.event, data: { purchase_intent_id: STORY.purchase }, type: 'purchase.confirmed' },
  Events: { cursor: 'AFKx2mV0mR7sX8c' },
  WebhookAttempt: { status: 200, answer: 'ok', milliseconds: 84 },
  WebhookReplay: { replayed: 3, until: NOON },

  // Files
  'export-items': 'item_id,title,attributes.colour\r\n0199a9e0-1f6a-7b1f-8abc-3d5f6a7b8c91,Moonflower,white\r\n',
  'export-holders': `item_id,address,quantity\r\n${STORY.item},${STORY.ada},1\r\n`,
  'export-email-claims': `id,email,state\r\n${STORY.claim},ada@example.com,CLAIMED\r\n`,
  'export-purchases': `id,email,price,currency\r\n${STORY.purchase},ada@example.com,19.99,EUR\r\n`,
  'get-import-result':
    'title,import_line,import_verdict,import_state,import_reasons,import_result_id\r\n' +
    `Moonflower,2,OK,DONE,,${STORY.item}\r\n`,
  'get-snapshot-holders': `address,quantity\r\n${STORY.ada},1\r\n`,
}
