import { newId } from '../../../lib/core/id.ts'
import { LOCALES } from '../../../lib/core/locales.ts'
import { mailWords } from '../../../lib/messaging/templates/mail-words.ts'
import { largestBlocks, listOf, patch, post, repeated, type Row, type SCHEMAS, type Sent, world } from './world.ts'

const makeItem = (type: keyof typeof SCHEMAS, part: unknown) =>
  post('/v1/items', {
    collection_id: world.collection,
    item_type_id: world.types[type],
    attributes: { title: 'x', part },
  })
const fileOf = (csv: string) => ({ name: 'list.csv', base64: Buffer.from(csv).toString('base64') })
const importItems = (csv: string, type?: keyof typeof SCHEMAS) =>
  post('/v1/items/import', {
    collection_id: world.collection,
    file: fileOf(csv),
    ...(type && { item_type_id: world.types[type] }),
  })
const importClaims = (csv: string) => post('/v1/email-claims/import', { file: fileOf(csv) })
const preview = (format: 'MJML' | 'HTML', body: string) =>
  post('/v1/email-templates/REDEEM_NFT/preview', { subject: 'x', text: 'x', format, body })
const setWords = (text: string) =>
  patch('/v1/email-words', {
    words: Object.fromEntries(
      LOCALES.map((locale) => [
        locale,
        Object.fromEntries(Object.keys(mailWords('en').gift).map((name) => [`mail.gift.${name}`, text])),
      ]),
    ),
  })
const setWord = (text: string) => patch('/v1/email-words', { words: { de: { 'mail.gift.lead': text } } })

const template = (method: 'POST' | 'PUT', verb: string, type: string, draft: object): Sent => ({
  method,
  url: `/v1/email-templates/${type}${verb}`,
  body: { subject: 'x', ...draft },
})
const asStranger = (url: string, body: object): Sent => ({ ...post(`/public/v1${url}`, body), from: 'stranger' })

const LENGTH = 90_000
const evil = `${'a'.repeat(60)}b`
const fieldsOf = (count: number) => Object.fromEntries(listOf(count, (at) => [`f${at}`, 1]))
const nestedList = (depth: number): unknown => (depth === 0 ? listOf(400_000, () => 1) : [nestedList(depth - 1)])
const addresses = (count: number) => listOf(count, (at) => `0x${at.toString(16).padStart(40, '0')}`)
const ids = (count: number) => listOf(count, () => newId())
const mjml = (head: string, column: string) =>
  `<mjml><mj-head>${head}</mj-head><mj-body><mj-section><mj-column>${column}</mj-column></mj-section></mj-body></mjml>`
const nested = (depth: number): string => `{quantity, plural, other {${depth === 0 ? 'x' : nested(depth - 1)} } }`

/** The worst that tenants' requests may hold. */
export const REQUESTS: Row[] = [
  [
    'long names of columns to ignore',
    () => post(`/v1/imports/${newId()}/start`, { ignore_columns: listOf(200, (at) => `${at}${'x'.repeat(4_000)}`) }),
    404,
  ],
  ['a word of nested plurals', () => setWord(nested(16)), 400],
  ['a word of many plurals', () => setWord(repeated('{quantity, plural, other {#}}', 1_990)), 400],
  ['many words of many plurals', () => setWords(repeated('{quantity, plural, other {#}}', 1_990)), 400],
  ['a word of tags', () => setWord(repeated('<link>', 1_990)), 400],
  [
    'a schema of many patterns',
    () =>
      post('/v1/item-types', {
        name: newId(),
        schema: { allOf: Array.from({ length: 1_000 }, (_, at) => ({ pattern: `(a{0,200}){0,5}${at}` })) },
      }),
    422,
  ],
  ['a text for a pattern of repetitions in repetitions', () => makeItem('repeated', `${'a'.repeat(60_000)}b`), 422],
  ['a text for a pattern that only JavaScript reads', () => makeItem('ahead', evil), 422],
  ['a text for a long pattern', () => makeItem('long', 'a'.repeat(60_000)), 422],
  ['a long list for many schemas', () => makeItem('wide', Array(20_000).fill(1)), 422],
  [
    'a long list of unique entries',
    () =>
      makeItem(
        'unique',
        listOf(5_000, (at) => ({ at })),
      ),
    422,
  ],
  ['a file of line feeds', () => importItems('\n'.repeat(5_000_000)), 422],
  ['a file of quotes', () => importItems(repeated('"', 5_000_000)), 422],
  ['a first line of 9 MB', () => importItems('a'.repeat(9_000_000)), 422],
  ['a first line of many columns', () => importItems(`title,${'a,'.repeat(2_000_000)}\nx`), 422],
  [
    'many lines of many columns',
    () => importItems(`title${',a'.repeat(99)}\n${`x${',y'.repeat(99)}\n`.repeat(3_000)}`),
    201,
  ],
  [
    'lines for a pattern that only JavaScript reads',
    () => importItems(`title,part\n${`x,${evil}\n`.repeat(4)}`, 'ahead'),
    201,
  ],
  ['a claims file of line feeds', () => importClaims('\n'.repeat(5_000_000)), 422],
  ['a claims file of quotes', () => importClaims(repeated('"', 5_000_000)), 422],
  [
    'an allow list of as many addresses and emails as may be',
    () =>
      post(`/v1/listings/${newId()}/allow-list`, {
        action: 'ADD',
        eth_addresses: listOf(5_000, (at) => `0x${at.toString(16).padStart(40, '0')}`),
        email_addresses: listOf(5_000, (at) => `bird-${at}@birds.example`),
      }),
    404,
  ],
  [
    'as many codes as a perk takes at once',
    () => post(`/v1/perks/${newId()}/codes`, { codes: listOf(10_000, (at) => `${at}`.padStart(80, 'x')) }),
    404,
  ],
  ['a body of unknown fields', () => post('/v1/items', fieldsOf(90_000)), 400],
  [
    'attributes of many names',
    () => post('/v1/items', { collection_id: world.collection, attributes: fieldsOf(90_000) }),
    400,
  ],
  [
    'attributes with a long list',
    () =>
      post('/v1/items', {
        collection_id: world.collection,
        attributes: { title: 'x', part: listOf(400_000, () => 1) },
      }),
    400,
  ],
  [
    'as many items as a request may make, with long lists',
    () =>
      post('/v1/items/bulk', {
        items: listOf(1_000, () => ({
          collection_id: world.collection,
          item_type_id: world.types.open,
          attributes: { title: 'x', part: listOf(400, () => 1) },
        })),
      }),
    201,
  ],
  [
    'a schema with a long list',
    () => post('/v1/item-types', { name: newId(), schema: { enum: listOf(400_000, () => 1) } }),
    422,
  ],
  ['a body of brackets', () => post('/v1/items', { attributes: { title: [nestedList(90)] } }), 400],
  ['translations of many languages', () => post('/v1/items', { translations: fieldsOf(60_000) }), 400],
  ['MJML of tags without an end', () => preview('MJML', repeated('<mj-a ', LENGTH)), 200],
  ['MJML of comments without an end', () => preview('MJML', repeated('<!--', LENGTH)), 200],
  [
    'MJML of many blocks',
    () =>
      preview(
        'MJML',
        `<mjml><mj-body>${repeated('<mj-section><mj-column></mj-column></mj-section>', 35_000)}</mj-body></mjml>`,
      ),
    200,
  ],
  ['HTML of comments for Outlook', () => preview('HTML', repeated('<!--[if mso | IE]>', LENGTH)), 200],
  [
    'a style sheet with a long address',
    () => preview('HTML', `<style>url(${' '.repeat(LENGTH - 100)}https://</style>`),
    200,
  ],
  [
    'a style sheet that hides imports in imports',
    () => preview('HTML', `<style>${'@im'.repeat(9_000)}@import;${'port;'.repeat(9_000)}</style>`),
    200,
  ],
  ['HTML of open elements', () => preview('HTML', repeated('<p>', LENGTH)), 200],
  [
    'MJML of as many buttons as it may have',
    () => preview('MJML', mjml('', repeated('<mj-button>x</mj-button>', 17_700))),
    200,
  ],
  [
    'as many large blocks as a template may have',
    () => template('PUT', '', 'RECEIPT', { blocks: largestBlocks('{{status_url}}') }),
    200,
  ],
  [
    'HTML of as many variables as it may have',
    () =>
      template('POST', '/send-test', 'REFUND', {
        format: 'HTML',
        text: '{{status_url}}',
        body: `${'{{item_title}}'.repeat(999)}{{status_url}}`,
      }),
    202,
  ],
  [
    'MJML whose style sheet is written into its elements',
    () =>
      preview(
        'MJML',
        mjml(
          `<mj-style inline="inline">${listOf(1_500, (at) => `.a div div:not(.b${at}){color:red}`).join('')}</mj-style>`,
          '<mj-text css-class="a">x</mj-text>'.repeat(700),
        ),
      ),
    200,
  ],
  [
    'as many claims as a request may make',
    () =>
      post('/v1/email-claims/bulk', {
        claims: listOf(500, (at) => ({ email: `bird-${at}@birds.example`, item_id: newId() })),
      }),
    200,
  ],
  ['as many items as are locked at once', () => post('/v1/items/lock', { item_ids: ids(1_000) }), 404],
  [
    'as many mints as a request may make',
    () => post('/v1/mint-requests', { item_ids: ids(100), to_addresses: addresses(100) }),
    404,
  ],
  [
    'as many tokens as are read again at once',
    () => post(`/v1/collections/${world.collection}/metadata-refresh`, { item_ids: ids(1_000) }),
    404,
  ],
  [
    'a preview of hidden items with a long list',
    () => post('/v1/collections', { name: newId(), preview_metadata: { title: 'x', part: listOf(400_000, () => 1) } }),
    400,
  ],
  [
    'a preview of hidden items with many names',
    () => patch(`/v1/collections/${world.collection}`, { preview_metadata: fieldsOf(90_000) }),
    400,
  ],
  ['changed attributes of many names', () => patch(`/v1/items/${newId()}`, { attributes: fieldsOf(90_000) }), 400],
  [
    'a changed schema with a long list',
    () => patch(`/v1/item-types/${world.types.open}`, { schema: { enum: listOf(400_000, () => 1) } }),
    422,
  ],
  [
    'a key with many permissions',
    () => post('/v1/api-keys', { name: 'x', permissions: listOf(60_000, () => 'items:read') }),
    201,
  ],
  [
    'a listing for as many addresses as may be',
    () =>
      post('/v1/listings', {
        item_id: newId(),
        quantity_listed: 1,
        price: '1',
        currency: 'EUR',
        payment_providers: listOf(20_000, () => 'CARD_PROVIDER'),
        policy: {
          type: 'ALLOW_LIST',
          eth_addresses: addresses(5_000),
          email_addresses: listOf(5_000, (at) => `bird-${at}@birds.example`),
        },
      }),
    404,
  ],
  [
    'a changed listing with many names',
    () =>
      patch(`/v1/listings/${newId()}`, {
        policy: { payment_session_duration: { provider_override: fieldsOf(60_000) } },
      }),
    400,
  ],
  [
    'mail settings with a long host',
    () =>
      post('/v1/email-integrations', {
        provider: 'CUSTOM_SMTP',
        config: { email_from: 'a@birds.example', host: 'a.'.repeat(400_000), username: 'x', password: 'x' },
      }),
    400,
  ],
  [
    'changed mail settings with a long region',
    () => patch(`/v1/email-integrations/${newId()}`, { region: 'a-'.repeat(400_000) }),
    400,
  ],
  [
    'an organization with many origins',
    () =>
      patch(`/v1/organizations/${world.organization.id}`, {
        embed_origins: listOf(25_000, (at) => `https://shop-${at}.birds.example`),
      }),
    400,
  ],
  ['a perk with a long text', () => patch(`/v1/perks/${newId()}`, { text: 'x'.repeat(10_000) }), 404],
  [
    'a call of the chain with a long list',
    () => asStranger('/relay/31337', { jsonrpc: '2.0', id: 1, method: 'eth_call', params: [listOf(400_000, () => 1)] }),
    400,
  ],
  [
    'a search of as many words as an address holds',
    () => ({ method: 'GET', url: `/public/v1/items?q=${'a%20'.repeat(1_500)}`, from: 'stranger' }),
    200,
  ],
  [
    'a report of abuse as long as may be',
    () =>
      asStranger('/abuse-reports', {
        subject: { type: 'ITEM', id: newId() },
        reason: 'SPAM',
        detail: 'a\n'.repeat(1_000),
      }),
    404,
  ],
  ['a long name of an address', () => asStranger('/names', { name: 'a.'.repeat(400_000) }), 400],
  [
    'a long address of a mailbox',
    () => asStranger('/link-mails', { email: `${'a.'.repeat(400_000)}@birds.example` }),
    400,
  ],
]
