import { encodeAbiParameters } from 'viem'
import { openMetadataReader } from '../../../lib/catalog/items/read-foreign-metadata.ts'
import { viemChain } from '../../../lib/ports/chain/viem-chain.ts'
import { ports } from '../../../lib/ports/ports.ts'
import { asOwner } from '../as-owner.ts'
import { makeItem } from '../claims.ts'
import { emptied, type JobRow, replaceForNow, serve, worker } from './stage.ts'
import { listOf, world } from './world.ts'

/** Tokens of a connected contract whose node gives this for each call: text, or as many zeros as are asked for. */
async function makeTokens(returned: string | { zeros: number }): Promise<() => Promise<unknown>> {
  const zeros = Buffer.alloc(1_000_000, 48)
  const url = await serve((request, response) => {
    let text = ''
    request.on('data', (part: Buffer) => (text += part.toString()))
    request.on('end', () => {
      const { id, method } = JSON.parse(text) as { id: number; method: string }
      const reply = (result: unknown) => response.end(JSON.stringify({ jsonrpc: '2.0', id, result }))
      if (method === 'eth_chainId') return reply('0x7a69')
      if (typeof returned === 'string') return reply(returned)
      response.write(`{"jsonrpc":"2.0","id":${id},"result":"0x`)
      for (let sent = 0; sent < returned.zeros; sent += zeros.length) response.write(zeros)
      response.end('"}')
    })
  })
  const { network } = ports().chains.get(31337)!
  replaceForNow({ chains: new Map([[network.id, viemChain(network, [url])]]) })
  const { collectionId } = await makeItem(world.organization)
  await asOwner(`
    UPDATE items SET metadata_due_at = NULL WHERE metadata_due_at IS NOT NULL;
    UPDATE collections SET deployment_type = 'EXTERNAL' WHERE id = '${collectionId}';
    UPDATE items SET metadata_due_at = now() - interval '1 hour' WHERE collection_id = '${collectionId}'`)
  return () => emptied(openMetadataReader(worker))
}
const inline = (document: object) =>
  encodeAbiParameters([{ type: 'string' }], [`data:application/json,${JSON.stringify(document)}`])

/** The worst that contracts of others may say of their tokens. */
export const METADATA_ROWS: JobRow[] = [
  [
    ['read foreign metadata'],
    'a document of many properties',
    () => makeTokens(inline({ properties: Object.fromEntries(listOf(55_000, (at) => [`p${at}`, 1])) })),
  ],
  [
    ['read foreign metadata'],
    'a document of a long list',
    () => makeTokens(inline({ properties: { a: listOf(400_000, () => 1) } })),
  ],
  [['read foreign metadata'], 'a contract that returns 64 MB', () => makeTokens({ zeros: 64_000_000 })],
]
