import { Prisma } from '../../generated/prisma/client.ts'
import type { Context, WorkerContext } from '../platform/auth/context.ts'
import { DAY, secondsFrom } from '../core/clock.ts'
import { env } from '../core/env.ts'
import { AppError } from '../core/errors.ts'
import type { Statement } from '../db/statements.ts'
import { GWEI, MAX_GAS_PER_MINT, weiOfGwei } from '../core/gas.ts'

/** Wei per gas assumed where the organization has not sent anything on the network yet. */
const FIRST_FEE = 5n * GWEI

/**
 * What one more mint may cost, in wei, to be stored with its transaction: it stands in for the real figure until that is signed. Other
 * transactions count as much, but signed transfers don't: they have a budget of their own (transfer-budget.ts).
 * Throws gas_budget_spent when the organization has no such amount left on this network within 24 hours, for each of `mints`.
 */
export async function spendGasBudget(tx: Context, networkId: number, mints = 1): Promise<bigint> {
  const budget = await budgetOf(tx)
  if (budget === null) return 0n
  const [spent] = await tx.sql<{ wei: Prisma.Decimal; fee: Prisma.Decimal | null }>(Prisma.sql`
    SELECT coalesce(sum(t.gas_cost_wei), 0) AS wei,
      (SELECT max_fee_per_gas FROM signed_transactions s
        WHERE s.organization_id = ${tx.organizationId}::uuid AND s.network_id = ${networkId} ORDER BY s.id DESC LIMIT 1) AS fee
    FROM transactions t
    WHERE t.organization_id = ${tx.organizationId}::uuid AND t.network_id = ${networkId} AND t.created_at > ${secondsFrom(tx.now(), -DAY)}
      AND t.tx_type <> 'SIGNED_TRANSFER'`)
  const cost = costOfMint(spent?.fee ? BigInt(spent.fee.toFixed()) : null)
  if (BigInt(spent?.wei.toFixed() ?? 0) + cost * BigInt(mints) > budget) throw gasBudgetSpent()
  return cost
}

/** `fee`: what the organization paid last on the network, in wei per gas. */
export const costOfMint = (fee: bigint | null): bigint => MAX_GAS_PER_MINT * (fee ?? FIRST_FEE)

export const gasBudgetSpent = () =>
  new AppError('gas_budget_spent', 'This organization has spent its gas budget on this network for the last 24 hours.')

/** What the organization may spend in 24 hours, in wei; null without a limit. */
async function budgetOf(tx: Context): Promise<bigint | null> {
  const where = { id: tx.organizationId }
  const { newcomerSince } = await tx.db.organization.findFirstOrThrow({ where, select: { newcomerSince: true } })
  return gasBudgetOf({ newcomerSince })
}

/** The same of an organization that was read. */
export function gasBudgetOf({ newcomerSince }: { newcomerSince: Date | string | null }): bigint | null {
  if (newcomerSince) return weiOfGwei(env.NEWCOMER_GAS_GWEI)
  return ['0', 'unlimited'].includes(env.GAS_BUDGET_GWEI) ? null : weiOfGwei(env.GAS_BUDGET_GWEI)
}

/**
 * What is left of an organization's gas budget on a network for what its foreign contracts want beyond the estimate, in wei; null without a
 * limit. Waiting transactions count as far as nothing is asked again before they are sent.
 */
export async function readLeftOfGasBudget(
  worker: WorkerContext,
  { organizationId, networkId }: { organizationId: string; networkId: number },
): Promise<bigint | null> {
  const { newcomerSince } = await worker.db.organization.findFirstOrThrow({
    where: { id: organizationId },
    select: { newcomerSince: true },
  })
  const budget = gasBudgetOf({ newcomerSince })
  if (budget === null) return null
  const since = secondsFrom(worker.now(), -DAY)
  const [spent] = await worker.sql<{ wei: Prisma.Decimal }>(Prisma.sql`
    SELECT coalesce(sum(t.gas_cost_wei), 0) AS wei FROM transactions t JOIN collections c ON c.id = t.collection_id
    WHERE t.organization_id = ${organizationId}::uuid AND t.network_id = ${networkId} AND t.tx_type <> 'SIGNED_TRANSFER'
      AND (t.created_at > ${since} OR t.submitted_at > ${since}) AND (t.state <> 'PENDING' OR c.deployment_type <> 'EXTERNAL')`)
  return budget - BigInt(spent!.wei.toFixed())
}

/** What an organization has spent on a network since a time, and its last fee. Read only where there is a budget ($4), or for a newcomer. */
export const READ_GAS: Statement = {
  name: 'read_gas',
  text: `SELECT coalesce(sum(t.gas_cost_wei), 0)::text AS wei,
      (SELECT max_fee_per_gas::text FROM signed_transactions s
        WHERE s.organization_id = $1::uuid AND s.network_id = $2::int ORDER BY s.id DESC LIMIT 1) AS fee
    FROM transactions t WHERE t.organization_id = $1::uuid AND t.network_id = $2::int AND t.created_at > $3::timestamptz
      AND t.tx_type <> 'SIGNED_TRANSFER' AND ($4::boolean OR EXISTS (SELECT 1 FROM organizations o WHERE o.id = $1::uuid AND o.newcomer_since IS NOT NULL))`,
}
