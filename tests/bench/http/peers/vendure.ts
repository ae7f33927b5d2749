import { start } from '../sides.ts'
import { execute, installPeer, makeDatabase } from './install-peer.ts'
import { ITEM, ITEMS, type Peer, PER_LIST, SOME_ITEMS, SOME_LISTS } from './peer.ts'

const VERSION = '3.7.3'

const SERVER = `const { randomUUID } = require('node:crypto')
const { bootstrap, DefaultLogger, LogLevel } = require('@vendure/core')
const field = (name, type) => ({ name, type, public: true, nullable: true })
bootstrap({
  apiOptions: { hostname: '127.0.0.1', port: Number(process.env.PORT), shopApiPath: 'shop-api', adminApiPath: 'admin-api', cors: false },
  authOptions: { tokenMethod: 'bearer', superadminCredentials: { identifier: 'bench', password: randomUUID() } },
  dbConnectionOptions: { type: 'postgres', url: process.env.DATABASE_URL, synchronize: true },
  paymentOptions: { paymentMethodHandlers: [] },
  customFields: { Product: [field('list', 'int'), field('colour', 'string'), field('size', 'int'), field('scent', 'string')] },
  logger: new DefaultLogger({ level: LogLevel.Error }),
}).catch((error) => {
  console.error(error)
  process.exit(1)
})
`

/**
 * Attributes are custom fields, which are columns. Vendure's own collections would cost it prices and variants, so a
 * list is an indexed field.
 */
const ROWS = [
  `INSERT INTO product (id, enabled, "customFieldsList", "customFieldsColour", "customFieldsSize", "customFieldsScent")
    SELECT n, true, ${ITEM.list}, ${ITEM.colour}, ${ITEM.size}, ${ITEM.scent} FROM generate_series(1, ${ITEMS}) n`,
  `INSERT INTO product_translation ("baseId", "languageCode", name, slug, description)
    SELECT n, 'en', ${ITEM.title}, ${ITEM.slug}, ${ITEM.description} FROM generate_series(1, ${ITEMS}) n`,
  `INSERT INTO product_channels_channel ("productId", "channelId") SELECT p.id, c.id FROM product p, channel c`,
  `CREATE INDEX ON product ("customFieldsList")`,
  'VACUUM ANALYZE',
]

const FIELDS = 'id name description customFields { colour size scent }'
const asked = (query: string, variables: object) => ({
  method: 'POST' as const,
  path: '/shop-api',
  headers: { 'content-type': 'application/json' },
  body: JSON.stringify({ query, variables }),
})
const ONE = `query One($id: ID!) { product(id: $id) { ${FIELDS} } }`
const LIST = `query List($list: Float!) { products(options: { take: ${PER_LIST}, filter: { list: { eq: $list } } }) { totalItems items { ${FIELDS} } } }`

type Answer = { data: { product: { name: string }; products: { items: { name: string }[] } } }

/** Vendure's server with its shop API, without a worker. */
export async function startVendure(beside: string): Promise<Peer> {
  const folder = await installPeer({
    name: 'vendure',
    packages: { '@vendure/core': VERSION, pg: '8.23.1' },
    files: { 'server.cjs': SERVER },
  })
  const DATABASE_URL = await makeDatabase(beside, 'bench_vendure')
  const side = await start('Vendure', ['server.cjs'], folder, { DATABASE_URL, VENDURE_DISABLE_TELEMETRY: 'true' })
  await execute(DATABASE_URL, ROWS)
  return {
    name: 'Vendure',
    version: VERSION,
    side,
    questions: {
      item: SOME_ITEMS.map((id) => asked(ONE, { id })),
      list: SOME_LISTS.map((list) => asked(LIST, { list })),
    },
    titlesOf: (answer, question) => {
      const { product, products } = (answer as Answer).data
      return (question === 'item' ? [product] : products.items).map(({ name }) => name)
    },
  }
}
