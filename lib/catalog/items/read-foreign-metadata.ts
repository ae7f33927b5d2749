import { decodeAbiParameters, encodeFunctionData, parseAbi, type Address } from 'viem'
import { Prisma } from '../../../generated/prisma/client.ts'
import { recordAudit } from '../../records/audit/record-audit.ts'
import { type Context, inTransaction, within, type WorkerContext } from '../../platform/auth/context.ts'
import { CallReverted, ChainUnavailable, type Chain } from '../../ports/chain/chain.ts'
import { realNow, secondsFrom } from '../../core/clock.ts'
import { env } from '../../core/env.ts'
import { log } from '../../core/log.ts'
import { isDatabaseDown } from '../../db/errors.ts'
import { numberedTitle } from './numbered-title.ts'
import { queueItemImage } from '../../records/media/queue-item-image.ts'
import { FetchRefused } from '../../ports/storage/storage.ts'
import { attributesFrom, metadataLocationOf } from './foreign-metadata.ts'

const BATCH = 40
const MAX_CONCURRENT = 5
/** Retries follow after 1, 2, 4, … minutes. After the last one the item keeps its numbered title. */
const MAX_TRIES = 8
const LEASE_SECONDS = 60

const METADATA_ABI = parseAbi([
  'function tokenURI(uint256 id) view returns (string)',
  'function uri(uint256 id) view returns (string)',
])

type DueItem = {
  id: string
  organization_id: string
  token_id: string
  tries: number
  name: string
  network_id: number
  contract: string
  token_type: 'ERC721' | 'ERC1155'
}

/** Reads the metadata of foreign contracts' tokens that are due. Returns their number. */
export async function readForeignMetadata(worker: WorkerContext): Promise<number> {
  const due = await leaseDueItems(worker)
  for (let at = 0; at < due.length; at += MAX_CONCURRENT)
    await Promise.all(
      due
        .slice(at, at + MAX_CONCURRENT)
        .map((item) => within(worker, item.organization_id, (ctx) => readOne(ctx, item))),
    )
  return due.length
}

/** Leases due items to this process, so that no other one reads them meanwhile: in real time, since a sandbox's clock may be advanced. */
async function leaseDueItems(worker: WorkerContext): Promise<DueItem[]> {
  const isDue = Prisma.sql`metadata_due_at <= ${worker.now().toISOString()}::timestamptz
    AND (metadata_reading_until IS NULL OR metadata_reading_until <= ${realNow().toISOString()}::timestamptz)`
  const due = await worker.sql<{ id: string }>(
    Prisma.sql`SELECT id::text FROM items WHERE ${isDue} ORDER BY metadata_due_at LIMIT ${BATCH}`,
  )
  if (due.length === 0) return []
  return worker.sql<DueItem>(Prisma.sql`
    UPDATE items i SET metadata_reading_until = ${secondsFrom(realNow(), LEASE_SECONDS).toISOString()}::timestamptz, metadata_tries = metadata_tries + 1
    FROM collections c
    WHERE c.id = i.collection_id AND i.id IN (
      SELECT id FROM items WHERE id = ANY(${due.map(({ id }) => id)}::uuid[]) AND ${isDue} FOR UPDATE SKIP LOCKED)
    RETURNING i.id::text, i.organization_id::text, i.token_id, i.metadata_tries AS tries, c.name, c.network_id, c.contract_address AS contract, c.token_type::text`)
}

async function readOne(ctx: Context, item: DueItem): Promise<void> {
  try {
    const document = await readDocument(ctx, item)
    await saveMetadata(ctx, item, document)
  } catch (error) {
    if (isDatabaseDown(error)) throw error
    log.info(
      { itemId: item.id, reason: error instanceof Error ? error.message : error },
      'A token’s metadata could not be read.',
    )
    const over = item.tries >= MAX_TRIES || error instanceof FetchRefused || error instanceof CallReverted
    await ctx.db.item.updateMany({
      where: { id: item.id, metadataDueAt: { not: null } },
      data: {
        metadataDueAt: over ? null : secondsFrom(ctx.now(), 60 * 2 ** (item.tries - 1)),
        readingUntil: null,
      },
    })
  }
}

/** The parsed metadata document; null when the token has none. */
async function readDocument(ctx: Context, { network_id, contract, token_type, token_id }: DueItem): Promise<unknown> {
  const chain = ctx.ports.chains.get(network_id)
  if (!chain) throw new ChainUnavailable('The network of this token is not connected.')
  const location = metadataLocationOf(
    await readTokenUri(chain, contract as Address, token_type, BigInt(token_id)),
    token_id,
    env.IPFS_GATEWAY,
  )
  if (location.kind === 'unknown') return null
  return location.kind === 'inline' ? parsed(location.json) : parsed(await ctx.ports.fetcher.fetchText(location.url))
}

async function readTokenUri(
  chain: Chain,
  to: Address,
  tokenType: DueItem['token_type'],
  tokenId: bigint,
): Promise<string> {
  const data = encodeFunctionData({
    abi: METADATA_ABI,
    functionName: tokenType === 'ERC721' ? 'tokenURI' : 'uri',
    args: [tokenId],
  })
  const answer = await chain.read({ to, data })
  try {
    return decodeAbiParameters([{ type: 'string' }], answer)[0]
  } catch {
    return ''
  }
}

function parsed(json: string): unknown {
  try {
    return JSON.parse(json)
  } catch {
    return null
  }
}

const saveMetadata = (ctx: Context, { id, name, token_id }: DueItem, document: unknown): Promise<void> =>
  inTransaction(ctx, async (tx) => {
    const attributes = attributesFrom(document, numberedTitle(name, token_id), env.IPFS_GATEWAY)
    const { count } = await tx.db.item.updateMany({
      where: { id, metadataDueAt: { not: null } },
      data: { attributes: attributes as Prisma.InputJsonObject, metadataDueAt: null, readingUntil: null },
    })
    if (count === 0) return
    await queueItemImage(tx, id, attributes)
    await recordAudit(tx, { action: 'item.metadata_read', subject: { type: 'item', id }, after: attributes })
  })
