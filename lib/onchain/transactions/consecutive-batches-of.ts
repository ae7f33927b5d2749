import type { Transaction } from '../../../generated/prisma/client.ts'
import { CONSECUTIVE_ID_LIMIT } from '../../core/contracts/last-chunk.ts'
import { payloadOf } from '../../orders/payload.ts'

/** With fewer mints an owner blob costs more than it saves. */
const SHORTEST_CONSECUTIVE_BATCH = 20

/** Versions of our contracts without consecutive batches; collections keep their version. */
const WITHOUT_CONSECUTIVE_BATCHES: ReadonlySet<string> = new Set(['1-48aa5698', '1-d31eb2cd', '1-c12974f1'])

type Batch = Pick<Transaction, 'payload'> & {
  collection: { tokenType: string | null; deploymentType: string | null; contractVersion: string | null }
}

/** Whether the contract supports consecutive batches, and this batch isn't a retry of one. */
export function mayMintConsecutively({
  payload,
  collection: { tokenType, deploymentType, contractVersion },
}: Batch): boolean {
  const isAble =
    tokenType === 'ERC721' &&
    deploymentType === 'PLATFORM' &&
    contractVersion !== null &&
    !WITHOUT_CONSECUTIVE_BATCHES.has(contractVersion)
  return isAble && !payloadOf('ADMIN_MINT', payload).ordinary
}

/** The mints on consecutive token ids, in groups long enough for an owner blob, each sorted by id. */
export function consecutiveBatchesOf<M extends { item: { tokenId: string | null } }>(mints: readonly M[]): M[][] {
  const idOf = (mint: M) => BigInt(mint.item.tokenId!)
  const sorted = mints
    .filter((mint) => mint.item.tokenId !== null && idOf(mint) < CONSECUTIVE_ID_LIMIT)
    .sort((a, b) => (idOf(a) < idOf(b) ? -1 : 1))
  const batches: M[][] = []
  for (const mint of sorted) {
    const batch = batches.at(-1)
    if (batch && idOf(mint) === idOf(batch.at(-1)!) + 1n) batch.push(mint)
    else batches.push([mint])
  }
  return batches.filter((batch) => batch.length >= SHORTEST_CONSECUTIVE_BATCH)
}
