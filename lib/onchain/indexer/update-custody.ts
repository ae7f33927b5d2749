import { Prisma } from '../../../generated/prisma/client.ts'
import type { SystemContext } from '../../platform/auth/context.ts'
import { type CustodyChange, recordCustody } from '../../stock/record-custody.ts'
import { repinTransfers } from '../transactions/repin-transfers.ts'

type Touching = { itemId: string; networkId: number; fromAddress: string; toAddress: string }

/** Our accounts on a network, those of earlier keys included. */
export async function operatorsOn(tx: SystemContext, networkId: number): Promise<ReadonlySet<string>> {
  const lanes = await tx.sql<{ operator: string }>(
    Prisma.sql`SELECT operator FROM operator_lanes WHERE network_id = ${networkId}`,
  )
  return new Set(lanes.map(({ operator }) => operator))
}

/**
 * Updates custody of the items whose token these moves took from, or to, one of our operators. Owners must be up to
 * date.
 */
export async function updateCustodyOfMoves(
  tx: SystemContext,
  moves: readonly Touching[],
  operators: ReadonlySet<string>,
): Promise<CustodyChange> {
  const touched = moves.filter(({ fromAddress, toAddress }) => operators.has(fromAddress) || operators.has(toAddress))
  return updateCustody(tx, [...new Set(touched.map(({ itemId }) => itemId))])
}

/** Updates custody of items, whatever moved them. A waiting transfer is sent by the new custodian. */
export async function updateCustody(tx: SystemContext, itemIds: readonly string[]): Promise<CustodyChange> {
  const change = await recordCustody(tx, itemIds)
  await repinTransfers(tx, change.came)
  return change
}
