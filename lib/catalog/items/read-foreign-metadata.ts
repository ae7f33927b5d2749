import { decodeAbiParameters, encodeFunctionData, parseAbi, type Address } from 'viem'
import { Prisma } from '../../../generated/prisma/client.ts'
import { recordAudit } from '../../records/audit/record-audit.ts'
import { type Context, inTransaction, within, type SystemContext } from '../../platform/auth/context.ts'
import { type DueWork, openDueWork } from '../../platform/jobs/due-work.ts'
import { type Chain, ChainUnavailable } from '../../ports/chain/chain.ts'
import { StorageUnavailable } from '../../ports/storage/storage.ts'
import { DAY, secondsFrom } from '../../core/clock.ts'
import { crashPoint } from '../../core/crash.ts'
import { env } from '../../core/env.ts'
import { log } from '../../core/log.ts'
import { isDatabaseDown } from '../../db/errors.ts'
import { numberedTitle } from './numbered-title.ts'
import { mediaStemOf, mediaUrlsOf, stemOf } from '../../records/media/media-urls.ts'
import { isImageInvalid } from '../../records/media/render-image.ts'
import { copyItemImage } from '../../records/media/store-item-image.ts'
import { recordFile, type StoredImage, storeImage } from '../../records/media/store-image.ts'
import { attributesFrom, documentIn, isUnchanging, metadataLocationOf, pictureIn } from './foreign-metadata.ts'
import { type DueToken, leaseMetadata, renewMetadataLease } from './lease-metadata.ts'
import { REREAD_SECONDS } from './mark-metadata.ts'
import type { Attributes } from './show-item.ts'

/** Tokens that one process reads at once. */
const MAX_CONCURRENT = 20
/**
 * Tries follow after 10, 20, 40, … minutes, then each day: about six days in all. Then the token is given up until its
 * metadata is asked for again.
 */
const MAX_TRIES = 12

const RENEWAL_MS = 5_000

const METADATA_ABI = parseAbi([
  'function tokenURI(uint256 id) view returns (string)',
  'function uri(uint256 id) view returns (string)',
])

/**
 * Reads the metadata of foreign contracts' tokens that are due, and their pictures. What can't be read, whatever the
 * reason, leaves the item as it is and is tried again.
 */
export const openMetadataReader = (worker: () => SystemContext): DueWork =>
  openDueWork({
    max: MAX_CONCURRENT,
    lease: (room) => leaseMetadata(worker(), room),
    ownerOf: ({ organizationId }) => organizationId,
    work: (token) => readLeased(worker, token),
    failure: 'A token’s metadata could not be read; it is read again when its lease has ended.',
  })

async function readLeased(worker: () => SystemContext, token: DueToken): Promise<void> {
  const renewal = setInterval(() => {
    renewMetadataLease(worker(), token.id).catch((error: unknown) =>
      log.warn({ error, itemId: token.id }, 'The lease of a token was not renewed.'),
    )
  }, RENEWAL_MS)
  try {
    await within(worker(), token.organizationId, (ctx) => readOne(ctx, token))
  } finally {
    clearInterval(renewal)
  }
}

async function readOne(ctx: Context, token: DueToken): Promise<void> {
  try {
    const document = await readDocument(ctx, token)
    const image = await storePicture(ctx, document)
    const attributes = await saveMetadata(ctx, token, document, image)
    crashPoint('metadata_saved')
    if (image instanceof Error) throw image
    await copyImage(ctx, token, attributes.image_url)
    await endRead(ctx, token, null)
  } catch (error) {
    if (isDatabaseDown(error)) throw error
    const reason = error instanceof Error ? error.message : error
    log.info({ itemId: token.id, reason }, 'A token’s metadata could not be read.')
    const pause = Math.min(DAY, REREAD_SECONDS * 2 ** (token.tries - 1))
    const isAway = error instanceof ChainUnavailable || error instanceof StorageUnavailable
    const isOver = token.tries >= MAX_TRIES && !isAway
    await endRead(ctx, token, isOver ? null : secondsFrom(ctx.now(), pause))
  }
}

async function readDocument(ctx: Context, token: DueToken): Promise<object> {
  const chain = ctx.ports.chains.get(token.networkId)
  if (!chain) throw new ChainUnavailable('The network of this token is not connected.')
  const location = metadataLocationOf(await readTokenUri(chain, token), token.tokenId, env.IPFS_GATEWAY)
  if (location.kind === 'unknown') throw new Error('The token names no address that can be read.')
  return documentIn(location.kind === 'inline' ? location.json : await ctx.ports.fetcher.fetchText(location.url))
}

/** Of a node that has all blocks that are entered: one that lags would give what a reveal has replaced. */
async function readTokenUri(chain: Chain, { contract, tokenType, tokenId, enteredTo }: DueToken): Promise<string> {
  const functionName = tokenType === 'ERC721' ? 'tokenURI' : 'uri'
  const data = encodeFunctionData({ abi: METADATA_ABI, functionName, args: [BigInt(tokenId)] })
  const answer = await chain.atOneNode(async (node) => {
    if (enteredTo !== null && (await node.head()).number < enteredTo)
      throw new ChainUnavailable(`${node.name} has no block ${enteredTo} yet.`)
    return node.read({ to: contract as Address, data })
  })
  try {
    return decodeAbiParameters([{ type: 'string' }], answer)[0]
  } catch {
    return ''
  }
}

/**
 * Stores the picture that a document holds itself; null where there is none. An error where it can't be drawn: the rest
 * is shown without it.
 */
async function storePicture(ctx: Context, document: object): Promise<StoredImage | Error | null> {
  const bytes = pictureIn(document)
  if (!bytes) return null
  return storeImage(ctx, { bytes, name: null, still: true }).catch((error: unknown) => {
    if (isImageInvalid(error)) return error
    throw error
  })
}

const saveMetadata = (
  ctx: Context,
  { id, collectionName, tokenId }: DueToken,
  document: object,
  image: StoredImage | Error | null,
): Promise<Attributes> =>
  inTransaction(ctx, async (tx) => {
    const attributes = attributesFrom(document, numberedTitle(collectionName, tokenId), env.IPFS_GATEWAY)
    if (image && !(image instanceof Error)) {
      const file = await recordFile(tx, image)
      attributes.image_url = mediaUrlsOf(stemOf(file), tx.ports.addresses.origin).original
    }
    const changed = await tx.sql(Prisma.sql`
      UPDATE items SET attributes = ${JSON.stringify(attributes)}::jsonb, updated_at = ${tx.now()}
      WHERE id = ${id}::uuid AND metadata_due_at IS NOT NULL AND attributes <> ${JSON.stringify(attributes)}::jsonb
      RETURNING id`)
    if (changed.length > 0)
      await recordAudit(tx, { action: 'item.metadata_read', subject: { type: 'item', id }, after: attributes })
    return attributes
  })

/** Makes our copy of the picture anew, since its address may give another one by now. */
async function copyImage(ctx: Context, { id, imageSource }: DueToken, source: unknown): Promise<void> {
  if (typeof source !== 'string' || mediaStemOf(source, ctx.ports.addresses.origin) !== null) return
  if (source !== imageSource || !isUnchanging(source, env.IPFS_GATEWAY)) await copyItemImage(ctx, id, source)
}

/** Ends the lease. `next`: when it is read again, unless somebody asked for that meanwhile. */
async function endRead(ctx: Context, { id, due }: DueToken, next: Date | null): Promise<void> {
  await ctx.sql(Prisma.sql`
    UPDATE items SET metadata_reading_until = NULL,
      metadata_due_at = CASE WHEN metadata_due_at = ${due.toISOString()}::timestamptz
        THEN ${next?.toISOString() ?? null}::timestamptz ELSE metadata_due_at END
    WHERE id = ${id}::uuid AND metadata_due_at IS NOT NULL`)
}
