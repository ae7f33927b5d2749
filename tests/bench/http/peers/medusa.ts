import { randomUUID } from 'node:crypto'
import path from 'node:path'
import { runToEnd } from '../../../../scripts/launcher/processes.ts'
import { start } from '../sides.ts'
import { execute, installPeer, makeDatabase } from './install-peer.ts'
import { ITEM, ITEMS, type Peer, PER_LIST, SOME_ITEMS, SOME_LISTS } from './peer.ts'

const VERSION = '2.21.2'

/** Without Redis, its modules work in memory. */
const CONFIG = `const { defineConfig } = require('@medusajs/framework/utils')
module.exports = defineConfig({
  admin: { disable: true },
  projectConfig: {
    databaseUrl: process.env.DATABASE_URL,
    databaseDriverOptions: { connection: { ssl: false } },
    http: { storeCors: '', adminCors: '', authCors: '', jwtSecret: process.env.SECRET, cookieSecret: process.env.SECRET },
  },
})
`

/**
 * All in the sales channel that Medusa makes itself: with a second one, a list would read the ids of all products
 * first.
 */
const ROWS = [
  `INSERT INTO product_collection (id, title, handle)
    SELECT 'pcol_' || n, 'List ' || n, 'list-' || n FROM generate_series(1, ${ITEMS / PER_LIST}) n`,
  `INSERT INTO product (id, title, handle, description, status, collection_id, metadata)
    SELECT 'prod_' || n, ${ITEM.title}, ${ITEM.slug}, ${ITEM.description}, 'published', 'pcol_' || ${ITEM.list},
      jsonb_build_object('colour', ${ITEM.colour}, 'size', ${ITEM.size}, 'scent', ${ITEM.scent}) FROM generate_series(1, ${ITEMS}) n`,
  `INSERT INTO product_sales_channel (id, product_id, sales_channel_id) SELECT 'prodsc_' || p.id, p.id, c.id FROM product p, sales_channel c`,
  'VACUUM ANALYZE',
  `SELECT token FROM api_key WHERE type = 'publishable'`,
]

const FIELDS = 'fields=id,title,description,metadata'

type Answer = { product: { title: string }; products: { title: string }[] }

/**
 * Medusa's server with its store API. It makes a sales channel and a publishable key when it starts on an empty
 * database.
 */
export async function startMedusa(beside: string): Promise<Peer> {
  const folder = await installPeer({
    name: 'medusa',
    packages: { '@medusajs/medusa': VERSION, '@medusajs/framework': VERSION, '@medusajs/cli': VERSION },
    files: { 'medusa-config.js': CONFIG },
  })
  const DATABASE_URL = await makeDatabase(beside, 'bench_medusa')
  const settings = {
    DATABASE_URL,
    HOST: '127.0.0.1',
    SECRET: randomUUID(),
    MEDUSA_DISABLE_TELEMETRY: '1',
    LOG_LEVEL: 'error',
  }
  const program = path.join(folder, 'node_modules/@medusajs/cli/cli.js')
  const env = { ...process.env, ...settings, NODE_ENV: 'production' as const }
  await runToEnd(
    'Making the tables of Medusa',
    process.execPath,
    [program, 'db:migrate', '--skip-scripts'],
    env,
    folder,
  )
  const side = await start('Medusa', [program, 'start'], folder, settings)
  const [key] = await execute<{ token: string }>(DATABASE_URL, ROWS)
  const get = (what: string) => ({
    method: 'GET' as const,
    path: `/store/products${what}${FIELDS}`,
    headers: { 'x-publishable-api-key': key!.token },
  })
  return {
    name: 'Medusa',
    version: VERSION,
    side,
    questions: {
      item: SOME_ITEMS.map((id) => get(`/prod_${id}?`)),
      list: SOME_LISTS.map((list) => get(`?collection_id=pcol_${list}&limit=${PER_LIST}&`)),
    },
    titlesOf: (answer, question) => {
      const { product, products } = answer as Answer
      return (question === 'item' ? [product] : products).map(({ title }) => title)
    },
  }
}
