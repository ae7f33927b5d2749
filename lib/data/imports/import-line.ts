import { Prisma } from '../../../generated/prisma/client.ts'
import type { Context } from '../../platform/auth/context.ts'
import { createClaim } from '../../giving/create-claim.ts'
import { AppError, notFound } from '../../core/errors.ts'
import { createItem } from '../../catalog/items/create-item.ts'
import { lockItems } from '../../catalog/items/lock-items.ts'
import { soldOut } from '../../stock/hold-units.ts'
import { lockItemRows } from '../../stock/lock-item-rows.ts'
import type { ImportOptions } from './import-options.ts'
import { lockImportSchema, findImportedIds } from './check-items.ts'
import { redeemedOrRedeemable } from './check-claims.ts'
import { type ClaimLine, readClaimLine } from './read-claim-line.ts'
import { readItem } from './read-item.ts'

/** The result of a line. An error thrown instead is the reason why the line failed. */
export type Outcome =
  | { state: 'DONE'; resultId: string; failure?: undefined }
  | { state: 'FAILED' | 'SKIPPED'; failure: string; resultId?: undefined }

/** Creates the item of a line, and locks it if the line has a token id. */
export async function importItemLine(
  tx: Context,
  fields: Record<string, string>,
  options: ImportOptions,
): Promise<Outcome> {
  const collection = await tx.db.collection.findFirst({ where: { id: options.collection_id! } })
  if (!collection) throw notFound()
  const typeSchema = await lockImportSchema(tx, options, collection.defaultItemTypeId)
  const { line, reasons } = readItem(options.columns, fields, typeSchema?.schema ?? null)
  if (!line) return { state: 'FAILED', failure: reasons.join(' ') }
  if (line.externalId !== null && (await findImportedIds(tx, collection.id, [line.externalId])).size > 0)
    return { state: 'SKIPPED', failure: 'This was imported into the collection meanwhile.' }
  const { attributes, royalty_info, tokenId, maxSupply } = line
  const item = await createItem(tx, {
    collection_id: collection.id,
    attributes,
    item_type_id: options.item_type_id,
    royalty_info,
  })
  if (tokenId !== null) await lockItems(tx, { item_id: item.id, token_id: tokenId, max_supply: maxSupply })
  return { state: 'DONE', resultId: item.id }
}

/** Creates the claim of a line, unless an equal one was created since the check. */
export async function importClaimLine(
  tx: Context,
  fields: Record<string, string>,
  options: ImportOptions,
): Promise<Outcome> {
  const { line, reasons } = readClaimLine(options.columns, fields, options, tx.now())
  if (!line) return { state: 'FAILED', failure: reasons.join(' ') }
  if (await tx.db.suppression.findFirst({ where: { email: line.email }, select: { id: true } }))
    return { state: 'FAILED', failure: 'Mail to this address is stopped: it bounced, or was called spam.' }
  const itemId = await itemIdOf(tx, line, options)
  const where = itemId === null ? { collectionId: options.collection_id! } : { itemId }
  if (
    await tx.db.emailClaim.findFirst({
      where: { email: line.email, ...where, ...redeemedOrRedeemable(tx.now()) },
      select: { id: true },
    })
  )
    return { state: 'SKIPPED', failure: 'This email got it, or a link to it, meanwhile.' }
  const claim = await createClaim(tx, {
    email: line.email,
    item_id: itemId ?? (await nextItemOf(tx, options.collection_id!)),
    quantity: line.quantity,
    tx_payer: line.tx_payer,
    campaign_id: options.campaign_id,
    expiration: line.expiration,
  })
  return { state: 'DONE', resultId: claim.id }
}

/** Locks the items that these lines name, before one of them locks its collection: another order could deadlock with buyers. */
export async function lockNamedItems(
  tx: Context,
  lines: readonly Record<string, string>[],
  options: ImportOptions,
): Promise<void> {
  const named = lines.flatMap((fields) => readClaimLine(options.columns, fields, options, tx.now()).line?.item ?? [])
  const ids = named.flatMap((item) => (item !== 'next' && 'item_id' in item ? item.item_id : []))
  const tokenIds = named.flatMap((item) => (item !== 'next' && 'token_id' in item ? item.token_id : []))
  const byToken =
    tokenIds.length > 0
      ? await tx.db.item.findMany({
          where: { collectionId: options.collection_id!, tokenId: { in: tokenIds } },
          select: { id: true },
        })
      : []
  await lockItemRows(tx, [...ids, ...byToken.map(({ id }) => id)])
}

/** The id of the item that a line names; null for `next`. Throws `not_found`. */
async function itemIdOf(tx: Context, { item }: ClaimLine, { collection_id }: ImportOptions): Promise<string | null> {
  if (item === 'next') return null
  if ('item_id' in item) return item.item_id
  const found = await tx.db.item.findFirst({
    where: { collectionId: collection_id!, tokenId: item.token_id },
    select: { id: true },
  })
  if (!found) throw new AppError('not_found', 'There is no such item any more.')
  return found.id
}

/** The free item with the lowest token id, locked so that nobody else takes it. Throws `sold_out`. */
async function nextItemOf(tx: Context, collectionId: string): Promise<string> {
  const [free] = await tx.sql<{ id: string }>(Prisma.sql`
    SELECT id::text FROM items WHERE collection_id = ${collectionId}::uuid AND locked_at IS NOT NULL AND minted = 0 AND held = 0
    ORDER BY length(token_id), token_id LIMIT 1 FOR UPDATE SKIP LOCKED`)
  if (!free) throw soldOut()
  return free.id
}
