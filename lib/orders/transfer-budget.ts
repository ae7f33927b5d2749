import { Prisma, type TransferBudget } from '../../generated/prisma/client.ts'
import type { Context } from '../platform/auth/context.ts'
import { DAY, secondsFrom } from '../core/clock.ts'
import { AppError } from '../core/errors.ts'
import { GWEI } from '../core/gas.ts'
import type { Network } from '../ports/chain/chain.ts'
import { gasBudgetOf } from './gas-budget.ts'

/** Why the organization doesn't pay the gas of a transfer, so that its holder may send and pay it himself. */
type HolderPays = 'not_offered' | 'token_sent_today' | 'holder_limit' | 'budget_spent' | 'too_much_gas'

const SENTENCES = {
  not_offered: 'The gas of transfers isn’t paid for on this network.',
  token_sent_today: 'The gas is paid for once a day for each token, and this one was sent within the last 24 hours.',
  holder_limit:
    'The gas is paid for three times a day for each holder, and you have sent three within the last 24 hours.',
  budget_spent: 'What is set aside a day for the gas of transfers is used up.',
  too_much_gas: 'This transfer needs more gas than is paid for.',
} as const satisfies Record<HolderPays, string>

export const holderPays = (reason: HolderPays): AppError =>
  new AppError('holder_pays', `${SENTENCES[reason]} You can send it from your wallet and pay the gas yourself.`, {
    extra: { reason },
  })

/** The most sends of a token, and of a holder, in 24 hours. */
const MOST_OF_TOKEN = 1
const MOST_OF_HOLDER = 3

/** On a test network, unless the organization has set another amount: 0.05 of its coin. */
const USUAL_ON_TESTNET = 50_000_000n * GWEI

/**
 * The most that an organization pays a day for transfers on a network, in wei: its own setting, else the usual amount
 * there.
 */
export const dailyWeiOf = (
  { testnet }: Pick<Network, 'testnet'>,
  set?: Pick<TransferBudget, 'dailyWei'> | null,
): bigint => (set?.dailyWei == null ? (testnet ? USUAL_ON_TESTNET : 0n) : BigInt(set.dailyWei.toFixed()))

/**
 * The transfers of the last 24 hours that count: all but those that failed before anything was sent for them. A
 * transfer to a mailbox counts with the possible cost of its later delivery or return.
 */
export const countedTransfers = (tx: Context, networkId: number): Prisma.Sql => Prisma.sql`
  signed_transfers s JOIN transactions t ON t.organization_id = s.organization_id AND t.id = s.transaction_id
    LEFT JOIN escrows e ON e.organization_id = s.organization_id AND e.id = s.id
  WHERE s.organization_id = ${tx.organizationId}::uuid AND s.network_id = ${networkId}
    AND s.created_at > ${secondsFrom(tx.now(), -DAY)}
    AND NOT (s.state = 'FAILED' AND s.tx_hash IS NULL)`

/** The sum of the actual or possible costs of these transfers, in wei. */
export const COUNTED_WEI = Prisma.sql`coalesce(sum(coalesce(t.gas_cost_wei, 0) + coalesce(e.gas_wei, 0)), 0)`

type Sent = { itemId: string; isUnique: boolean; from: string }

/**
 * Locks the organization's transfers on a network for the rest of the transaction, so that two at once are counted one
 * after the other.
 */
export async function lockTransferBudget(tx: Context, networkId: number): Promise<void> {
  await tx.sql(Prisma.sql`
    INSERT INTO transfer_budgets (organization_id, network_id, updated_at)
    VALUES (${tx.organizationId}::uuid, ${networkId}, ${tx.now()})
    ON CONFLICT DO NOTHING`)
  await tx.sql(Prisma.sql`
    SELECT 1 FROM transfer_budgets WHERE organization_id = ${tx.organizationId}::uuid AND network_id = ${networkId}
    FOR UPDATE`)
}

/**
 * Why the organization doesn't pay for one more transfer that may cost `costWei`; null where it does. Units of an
 * ERC-1155 token count for their holder, a unique token for itself. What the operator of the installation grants an
 * organization in 24 hours bounds it, too.
 */
export async function findTransferLimit(
  tx: Context,
  network: Pick<Network, 'id' | 'testnet'>,
  { itemId, isUnique, from }: Sent,
  costWei = 0n,
): Promise<HolderPays | null> {
  const networkId = network.id
  const [set, organization, [spent]] = await Promise.all([
    tx.db.transferBudget.findFirst({ where: { networkId } }),
    tx.db.organization.findFirstOrThrow({ where: { id: tx.organizationId }, select: { newcomerSince: true } }),
    tx.sql<{ ofToken: bigint; ofHolder: bigint; wei: Prisma.Decimal }>(Prisma.sql`
      SELECT
        count(*) FILTER (WHERE s.item_id = ${itemId}::uuid AND (${isUnique} OR s.from_address = ${from})) AS "ofToken",
        count(*) FILTER (WHERE s.from_address = ${from}) AS "ofHolder", ${COUNTED_WEI} AS wei
      FROM ${countedTransfers(tx, networkId)}`),
  ])
  const daily = dailyWeiOf(network, set)
  const granted = gasBudgetOf(organization)
  const most = granted !== null && granted < daily ? granted : daily
  if (most === 0n) return 'not_offered'
  if (spent!.ofToken >= MOST_OF_TOKEN) return 'token_sent_today'
  if (spent!.ofHolder >= MOST_OF_HOLDER) return 'holder_limit'
  return BigInt(spent!.wei.toFixed()) + costWei > most ? 'budget_spent' : null
}
