import { Prisma } from '../../../generated/prisma/client.ts'
import type { WorkerContext } from '../../platform/auth/context.ts'
import { type CustodyChange, recordCustody } from '../../stock/record-custody.ts'
import { repinTransfers } from '../transactions/repin-transfers.ts'

type Touching = { itemId: string; networkId: number; fromAddress: string; toAddress: string }

/** The accounts that are ours on a network, those of earlier keys among them. */
export async function operatorsOn(tx: WorkerContext, networkId: number): Promise<ReadonlySet<string>> {
  const lanes = await tx.sql<{ operator: string }>(
    Prisma.sql`SELECT operator FROM operator_lanes WHERE network_id = ${networkId}`,
  )
  return new Set(lanes.map(({ operator }) => operator))
}

/** Writes down which operator has the token of an item that these moves took from, or to, one of ours. Owners are up to date when it is called. */
export async function updateCustodyOfMoves(
  tx: WorkerContext,
  moves: readonly Touching[],
  operators: ReadonlySet<string>,
): Promise<CustodyChange> {
  const touched = moves.filter(({ fromAddress, toAddress }) => operators.has(fromAddress) || operators.has(toAddress))
  return updateCustody(tx, [...new Set(touched.map(({ itemId }) => itemId))])
}

/** The same for items, whatever moved them. A waiting transfer is sent by the operator that has the token now. */
export async function updateCustody(tx: WorkerContext, itemIds: readonly string[]): Promise<CustodyChange> {
  const change = await recordCustody(tx, itemIds)
  await repinTransfers(tx, change.came)
  return change
}
