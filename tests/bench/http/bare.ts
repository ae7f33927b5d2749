// What the figures are compared with: node:http and pg with prepared statements, one process, no framework, no rules.
import { randomUUID } from 'node:crypto'
import { createServer, type ServerResponse } from 'node:http'
import pg from 'pg'
import type { Address } from 'viem'
import { privateKeyToAccount } from 'viem/accounts'
import { ROWS } from './rows.ts'

const pool = new pg.Pool({ connectionString: process.env.DATABASE_URL!, max: 10 })
const port = Number(process.env.PORT)

function send(response: ServerResponse, status: number, value: unknown): void {
  const body = JSON.stringify(value)
  response.writeHead(status, { 'content-type': 'application/json', 'content-length': Buffer.byteLength(body) })
  response.end(body)
}

const read = async (name: keyof typeof ROWS, ...values: unknown[]) =>
  (await pool.query({ name, text: ROWS[name], values })).rows as Record<string, unknown>[]

type Buy = { listing: string; address: string; signed: boolean; answer: (status: number, value: unknown) => void }
const signer = privateKeyToAccount(`0x${'11'.repeat(32)}`)

/** A voucher's typed data is signed as Vitrine signs it. */
const sign = (to: string) =>
  signer.signTypedData({
    domain: { name: 'Bench', version: '1', chainId: 31337, verifyingContract: signer.address },
    types: {
      Voucher: [
        { name: 'to', type: 'address' },
        { name: 'nonce', type: 'uint256' },
        { name: 'expiry', type: 'uint256' },
      ],
    },
    primaryType: 'Voucher',
    message: { to: to as Address, nonce: 1n, expiry: 1n },
  })

const waiting: Buy[] = []
let selling = false

/** Sells what came while the last batch ran, in one transaction. */
async function sellWaiting(): Promise<void> {
  if (selling) return
  selling = true
  while (waiting.length > 0) {
    const batch = waiting.splice(0, 500)
    const ids = batch.map(() => randomUUID())
    const client = await pool.connect()
    try {
      await client.query('BEGIN')
      const { rows } = await client.query<{ left: string; organization: string; collection: string; item: string }>({
        name: 'take',
        text: ROWS.take,
        values: [batch[0]!.listing, batch.length],
      })
      const row = rows[0]
      if (row)
        await client.query({
          name: 'sell',
          text: ROWS.sell,
          values: [
            ids,
            batch.map(({ address }) => address),
            batch[0]!.listing,
            row.organization,
            row.collection,
            row.item,
          ],
        })
      await client.query('COMMIT')
      for (const [at, { answer, signed, address }] of batch.entries())
        answer(
          row ? 201 : 409,
          row ? { id: ids[at], ...(signed && { signature: await sign(address) }) } : { code: 'sold_out' },
        )
    } catch (error) {
      await client.query('ROLLBACK')
      for (const { answer } of batch) answer(500, { message: String(error) })
    } finally {
      client.release()
    }
  }
  selling = false
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
    if (what === 'history') return answer(read('history', id))
    if (what === 'owners') return answer(read('owners', id))
  }
  const chunks: Buffer[] = []
  request.on('data', (chunk: Buffer) => chunks.push(chunk))
  request.on('end', () => {
    const body = JSON.parse(Buffer.concat(chunks).toString() || '{}') as Record<string, string>
    if (what === 'item') return answer(read('insertItem', randomUUID(), body.collection_id, body.title), 201)
    if (what === 'claim') return answer(read('insertClaim', randomUUID(), body.item_id, body.email), 201)
    if (what === 'buy') {
      waiting.push({
        listing: body.listing_id!,
        address: body.address!,
        signed: body.sign !== undefined,
        answer: (status, value) => send(response, status, value),
      })
      return void setImmediate(() => void sellWaiting())
    }
    send(response, 404, {})
  })
}).listen(port, '127.0.0.1', () => console.log('listening'))
