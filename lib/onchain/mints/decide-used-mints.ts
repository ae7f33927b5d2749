import type { SystemContext } from '../../platform/auth/context.ts'
import type { Chain } from '../../ports/chain/chain.ts'
import { isForbidden, isUsedBefore } from '../../core/contracts/revert-reason.ts'
import { areRolesChanging } from '../transactions/are-roles-changing.ts'
import type { SendingMint, SendingRow } from '../transactions/sending-row.ts'
import { adoptMint } from './adopt-mint.ts'
import { findEarlierMint } from './find-earlier-mint.ts'

export type RefusedMint = { mint: SendingMint; reason: string }

/** Whether only a final block decides about a refusal with this reason. */
export const needsFinalBlock = (reason: string): boolean => isUsedBefore(reason) || isForbidden(reason)

/**
 * Mints that the contract refuses. Those that it has carried out before, by us, are taken for delivered. Returns the
 * others: `failed` with certainty, and `undecided` while no final block says who was the first, or that the operator
 * has its role.
 */
export async function decideUsedMints(
  worker: SystemContext,
  chain: Chain,
  row: SendingRow,
  refused: readonly RefusedMint[],
  finalTo: bigint,
): Promise<{ failed: RefusedMint[]; undecided: RefusedMint[] }> {
  const decided = { failed: [] as RefusedMint[], undecided: [] as RefusedMint[] }
  const mayGetRole = refused.some(({ reason }) => isForbidden(reason)) && (await areRolesChanging(worker, row, finalTo))
  for (const one of refused) {
    if (mayGetRole && isForbidden(one.reason)) {
      decided.undecided.push(one)
      continue
    }
    if (!isUsedBefore(one.reason) || row.txType !== 'ADMIN_MINT') {
      decided.failed.push(one)
      continue
    }
    const earlier = await findEarlierMint(worker, chain, row, one.mint, finalTo)
    if (earlier.by === 'ours') await adoptMint(worker, row, one.mint, earlier)
    else if (earlier.by === 'foreign') decided.failed.push(one)
    else decided.undecided.push(one)
  }
  return decided
}
