// What the figures are compared with: node:http and pg with prepared statements, one process, no framework, no rules.
import { createHash, createHmac, randomUUID } from 'node:crypto'
import { createServer, type ServerResponse } from 'node:http'
import pg from 'pg'
import type { Address } from 'viem'
import { privateKeyToAccount } from 'viem/accounts'
import { voucherTypedData } from '../../../lib/core/contracts/vouchers.ts'
import { makeTerms } from '../../support/voucher-terms.ts'
import { BARE_KEY, ROWS } from './rows.ts'

const pool = new pg.Pool({ connectionString: process.env.DATABASE_URL!, max: 10 })
const port = Number(process.env.PORT)

function send(response: ServerResponse, status: number, value: unknown): void {
  const body = JSON.stringify(value)
  response.writeHead(status, { 'content-type': 'application/json', 'content-length': Buffer.byteLength(body) })
  response.end(body)
}

const read = async (name: keyof typeof ROWS, ...values: unknown[]) =>
  (await pool.query({ name, text: ROWS[name], values })).rows as Record<string, unknown>[]

type Buy = {
  listing: string
  address: string
  signed: boolean
  key: string
  hash: Buffer
  answer: (status: number, value: unknown) => void
}
const signer = privateKeyToAccount(`0x${'11'.repeat(32)}`)

const sign = (minter: string, nonce: bigint) =>
  signer.signTypedData(
    voucherTypedData(31337, signer.address, makeTerms({ minter: minter as Address, nonce, expiry: 1n })),
  )

const waiting: Buy[] = []
let selling = false

type Taken = {
  organization: string
  collection: string
  item: string
  network: number
  contract: string
  number: string
}

const DEADLOCK = '40P01'

/**
 * Sells what came while the last batch ran, in one transaction, and stores the answers under the keys of their
 * requests.
 */
async function sellWaiting(): Promise<void> {
  if (selling) return
  selling = true
  while (waiting.length > 0) {
    const batch = waiting.splice(0, 100)
    const client = await pool.connect()
    try {
      await client.query('BEGIN')
      const { rows } = await client.query<Taken>({
        name: 'take',
        text: ROWS.take,
        values: [batch[0]!.listing, batch.length, batch[0]!.signed],
      })
      const answers = rows[0] ? await sell(client, batch, rows[0]) : null
      await client.query('COMMIT')
      for (const [at, { answer }] of batch.entries())
        answer(answers ? 201 : 409, answers ? answers[at] : { code: 'sold_out' })
    } catch (error) {
      await client.query('ROLLBACK')
      // Vitrine's worker locks the same rows.
      if ((error as pg.DatabaseError).code === DEADLOCK) waiting.unshift(...batch)
      else for (const { answer } of batch) answer(500, { message: String(error) })
    } finally {
      client.release()
    }
  }
  selling = false
}

/** All orders of a batch are paid in the same way. */
async function sell(client: pg.PoolClient, batch: readonly Buy[], taken: Taken): Promise<object[]> {
  const [{ listing, signed }] = batch as [Buy]
  const { organization, collection, item, network, contract, number } = taken
  const signatures = signed
    ? await Promise.all(batch.map(({ address }, at) => sign(address, BigInt(number) + BigInt(at))))
    : []
  const answers = batch.map(({ address }, at) => ({
    id: randomUUID(),
    listing_id: listing,
    buyer: { eth_address: address },
    quantity: 1,
    units: [{ item_id: item, collection_id: collection, contract }],
    ...(signed && { voucher: { nonce: number, signature: signatures[at] } }),
  }))
  const ids = answers.map(({ id }) => id)
  const addresses = batch.map(({ address }) => address)
  const keys = batch.map(({ key }) => key)
  const hashes = batch.map(({ hash }) => hash)
  const stored = answers.map((answer) => Buffer.from(JSON.stringify(answer)))
  const values = [ids, addresses, listing, organization, collection, item, keys, hashes, stored, network, number]
  await client.query(
    signed
      ? { name: 'sellVoucher', text: ROWS.sellVoucher, values: [...values, contract, signatures] }
      : { name: 'sellFree', text: ROWS.sellFree, values },
  )
  return answers
}

createServer((request, response) => {
  const url = new URL(request.url!, 'http://bare')
  const [, what, id] = url.pathname.split('/')
  const answer = (rows: Promise<unknown>, status = 200) =>
    void rows.then(
      (value) => send(response, status, value),
      (error: unknown) => send(response, 500, { message: String(error) }),
    )
  if (request.method === 'GET') {
    if (what === 'listing') return answer(read('listing', id).then(([row]) => row))
    if (what === 'collection') return answer(read('collection', id).then(([row]) => row))
    if (what === 'one') return answer(read('item', id).then(([row]) => row))
    if (what === 'list') return answer(read('items', id, 100))
    if (what === 'own') return answer(read('ownItems', id, 20))
  }
  const chunks: Buffer[] = []
  request.on('data', (chunk: Buffer) => chunks.push(chunk))
  request.on('end', () => {
    const text = Buffer.concat(chunks).toString()
    const body = JSON.parse(text || '{}') as Record<string, string>
    if (what === 'item') return answer(read('insertItem', randomUUID(), body.collection_id, body.title), 201)
    if (what === 'claim') return answer(read('insertClaim', randomUUID(), body.item_id, body.email), 201)
    if (what === 'redeem') {
      const hash = createHmac('sha256', BARE_KEY).update(`${body.claim_id}${body.pin}`).digest()
      return answer(
        read('redeem', body.claim_id, hash, body.address, randomUUID(), body.carrier_id).then(([row]) => {
          if (!row) throw new Error('The PIN is wrong.')
          return row
        }),
        201,
      )
    }
    if (what === 'buy') {
      waiting.push({
        listing: body.listing_id!,
        address: body.address!,
        signed: body.sign !== undefined,
        key: String(request.headers['idempotency-key'] ?? randomUUID()),
        hash: createHash('sha256').update(text).digest(),
        answer: (status, value) => send(response, status, value),
      })
      return void setImmediate(() => void sellWaiting())
    }
    send(response, 404, {})
  })
}).listen(port, '127.0.0.1', () => console.log('listening'))
