import { Prisma } from '../../generated/prisma/client.ts'
import type { Context, SystemContext } from '../platform/auth/context.ts'
import { DAY, secondsFrom } from '../core/clock.ts'
import { env } from '../core/env.ts'
import { AppError } from '../core/errors.ts'
import { type Call, call, type Statement } from '../db/statements.ts'
import { GWEI, MAX_GAS_PER_MINT, weiOfGwei } from '../core/gas.ts'

/** Wei per gas assumed where the organization has not sent anything on the network yet. */
const FIRST_FEE = 5n * GWEI

/**
 * An organization's gas on a network: what it may spend in 24 hours (null: no limit) and has spent, in wei, and the fee
 * that it paid last, in wei per gas.
 */
export type Gas = { budget: bigint | null; spent: bigint; fee: bigint | null }
export type GasRow = { wei: string; fee: string | null; newcomerSince: Date | string | null }

const READ: Statement = {
  name: 'read_gas',
  text: `SELECT coalesce(sum(t.gas_cost_wei), 0)::text AS wei,
      (SELECT max_fee_per_gas::text FROM signed_transactions s
        WHERE s.organization_id = $1::uuid AND s.network_id = $2::int ORDER BY s.id DESC LIMIT 1) AS fee,
      (SELECT newcomer_since FROM organizations WHERE id = $1::uuid) AS "newcomerSince"
    FROM transactions t WHERE t.organization_id = $1::uuid AND t.network_id = $2::int AND t.created_at > $3::timestamptz
      AND t.tx_type <> 'SIGNED_TRANSFER'
      AND ($4::boolean OR EXISTS (SELECT 1 FROM organizations o
        WHERE o.id = $1::uuid AND o.newcomer_since IS NOT NULL))`,
}

/**
 * Reads a `GasRow`: the sum only where there is a budget. Signed transfers don't count: they have a budget of their own
 * (transfer-budget.ts).
 */
export const gasCall = (organizationId: string, networkId: number | null, now: Date): Call =>
  call(READ, organizationId, networkId, secondsFrom(now, -DAY), gasBudgetOf({ newcomerSince: null }) !== null)

export const gasOf = ({ wei, fee, newcomerSince }: GasRow): Gas => ({
  budget: gasBudgetOf({ newcomerSince }),
  spent: BigInt(wei),
  fee: fee === null ? null : BigInt(fee),
})

/**
 * The most that one more mint may cost, in wei, to be stored with its transaction: it stands in for the real figure
 * until the transaction is signed. 0 without a budget.
 */
export const costOfMint = ({ budget, fee }: Gas): bigint =>
  budget === null ? 0n : MAX_GAS_PER_MINT * (fee ?? FIRST_FEE)

/** The gas once `mints` more are counted; null where the budget isn't enough for them. */
export function gasAfter(gas: Gas, mints: number): Gas | null {
  const spent = gas.spent + costOfMint(gas) * BigInt(mints)
  return gas.budget !== null && spent > gas.budget ? null : { ...gas, spent }
}

/** The gas once `mints` more are counted. Throws `gas_budget_spent` where the budget isn't enough for them. */
export function spendGas(gas: Gas, mints: number): Gas {
  const left = gasAfter(gas, mints)
  if (!left) throw gasBudgetSpent()
  return left
}

export const gasBudgetSpent = () =>
  new AppError('gas_budget_spent', 'This organization has spent its gas budget on this network for the last 24 hours.')

/** Spends the caller's gas budget for `mints`, and gives what each of them may cost. Throws what `spendGas` throws. */
export async function spendGasBudget(tx: Context, networkId: number, mints = 1): Promise<bigint> {
  const { statement, values } = gasCall(tx.organizationId, networkId, tx.now())
  const [row] = await tx.rows<GasRow>(statement, ...values)
  const gas = gasOf(row!)
  spendGas(gas, mints)
  return costOfMint(gas)
}

/** The gas that an organization may spend in 24 hours, in wei. null: no limit. */
export function gasBudgetOf({ newcomerSince }: { newcomerSince: Date | string | null }): bigint | null {
  if (newcomerSince) return weiOfGwei(env.NEWCOMER_GAS_GWEI)
  return ['0', 'unlimited'].includes(env.GAS_BUDGET_GWEI) ? null : weiOfGwei(env.GAS_BUDGET_GWEI)
}

/**
 * The rest of an organization's gas budget on a network, in wei, for gas that its foreign contracts want beyond the
 * estimate. null: no limit. Waiting transactions count as far as nothing is asked again before they are sent.
 */
export async function readLeftOfGasBudget(
  worker: SystemContext,
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
      AND (t.created_at > ${since} OR t.submitted_at > ${since})
      AND (t.state <> 'PENDING' OR c.deployment_type <> 'EXTERNAL')`)
  return budget - BigInt(spent!.wei.toFixed())
}
