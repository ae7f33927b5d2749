import type { z } from 'zod'
import type { Listing } from '../../../generated/prisma/client.ts'
import { MAX_GAS_PER_MINT } from '../../core/gas.ts'
import type { preflight } from '../../platform/api/listing-record.ts'
import type { Context } from '../../platform/auth/context.ts'
import { columns, type RowOf } from '../../db/columns.ts'
import type { Statement } from '../../db/statements.ts'
import type { Chain } from '../../ports/chain/chain.ts'
import { isSelling, remainingOf } from './listing-state.ts'
import { findNetworksWithoutCode } from '../../organizations/find-networks-without-code.ts'
import { findPayoutAddress } from '../../organizations/find-payout-address.ts'

type Finding = z.output<typeof preflight>

/** The fields of a listing that the checks need. The listing may not exist yet. */
export type Offer = Pick<
  Listing,
  | 'networkId'
  | 'mode'
  | 'status'
  | 'paymentProviders'
  | 'txPayer'
  | 'quantityListed'
  | 'quantityOpen'
  | 'quantityConfirmed'
>

const ACCOUNT = columns('a', 'PaymentIntegration', ['mode', 'status', 'chargesEnabled', 'requirements'])
/** An account at the card provider. */
type Account = RowOf<typeof ACCOUNT>

/** Checks a listing's payout address, card account and gas. Calls the network, so call it outside of transactions. */
export const preflightOf = async (ctx: Context, listing: Offer): Promise<Finding[]> =>
  (await preflightsOf(ctx, [listing]))[0]!

/** Checks several listings as `preflightOf` does one. The database is read once for all of them. */
export async function preflightsOf(ctx: Context, listings: readonly Offer[]): Promise<Finding[][]> {
  if (listings.length === 0) return []
  const payoutAddress = listings.some(isSoldByVoucher) ? findPayoutAddress(ctx) : null
  const accountsAtProvider = listings.some(isSoldByCard) ? ctx.rows<Account>(ACCOUNTS, ctx.organizationId) : []
  const units = new Map<number, Promise<bigint>>()
  const committedOn = (networkId: number) => {
    const known = units.get(networkId) ?? countCommittedUnits(ctx, networkId)
    units.set(networkId, known)
    return known
  }
  return Promise.all(
    listings.map(async (listing) => {
      const chain = ctx.ports.chains.get(listing.networkId)
      const [payout, gas, accounts] = await Promise.all([
        payoutFindings(ctx, chain, listing, payoutAddress),
        gasFindings(ctx, chain, listing, committedOn),
        accountsAtProvider,
      ])
      const findings = [...payout, ...cardFindings(listing, accounts), ...gas]
      return findings.filter(({ code }, at) => findings.findIndex((other) => other.code === code) === at)
    }),
  )
}

const isSoldByVoucher = ({ paymentProviders }: Offer): boolean => paymentProviders.includes('MINT_VOUCHER')
const isSoldByCard = ({ paymentProviders }: Offer): boolean => paymentProviders.includes('CARD_PROVIDER')

const ACCOUNTS: Statement = {
  name: 'preflight_accounts',
  text: `SELECT ${ACCOUNT} FROM payment_integrations a
    WHERE organization_id = $1::uuid AND status <> 'DISCONNECTED'`,
}

const unreachable = (): Finding => ({
  code: 'network_unreachable',
  severity: 'WARNING',
  detail: 'The network of this listing could not be reached just now.',
})

/** Above the time that a call may take with every node of a network, so that slow nodes are waited for. */
const CODE_TIMEOUT_MS = 30_000

async function payoutFindings(
  ctx: Context,
  chain: Chain | undefined,
  listing: Offer,
  payoutAddress: Promise<string | null> | null,
): Promise<Finding[]> {
  if (!isSoldByVoucher(listing)) return []
  const payout = await payoutAddress
  const { networkId } = listing
  if (!payout)
    return [
      {
        code: 'payout_address_missing',
        severity: 'ERROR',
        detail: 'The organization has no payout address: nothing can be bought with mint vouchers.',
      },
    ]
  if (!chain) return [unreachable()]
  const { lost, unknown } = await findNetworksWithoutCode([...ctx.ports.chains.values()], payout, CODE_TIMEOUT_MS)
  if (unknown.some(({ id }) => id === networkId)) return [unreachable()]
  if (!lost.some(({ id }) => id === networkId)) return []
  return [
    {
      code: 'payout_contract_missing',
      severity: 'ERROR',
      detail:
        `The payout address is a contract that is not deployed on ${chain.network.name}: ` +
        'what buyers pay would be lost.',
    },
  ]
}

function cardFindings(listing: Offer, accounts: Account[]): Finding[] {
  if (!isSoldByCard(listing)) return []
  const { mode } = listing
  const integration = accounts.find((account) => account.mode === mode)
  if (!integration)
    return [
      {
        code: 'card_account_missing',
        severity: 'ERROR',
        detail: `There is no ${mode} account at the card provider: cards can’t be charged.`,
      },
    ]
  if (integration.status === 'ACTIVE' && integration.chargesEnabled) return []
  const missing =
    integration.requirements.length > 0 ? ` It still asks for: ${integration.requirements.slice(0, 5).join(', ')}.` : ''
  return [
    {
      code: 'card_account_cannot_charge',
      severity: 'ERROR',
      detail: `The account at the card provider can’t charge cards yet.${missing}`,
    },
  ]
}

/** Compares the gas cost of all mints that we must pay for with the operators' balances. */
async function gasFindings(
  ctx: Context,
  chain: Chain | undefined,
  listing: Offer,
  committedOn: (networkId: number) => Promise<bigint>,
): Promise<Finding[]> {
  if (listing.txPayer === 'BUYER' || listing.paymentProviders.every((provider) => provider === 'MINT_VOUCHER'))
    return []
  if (!chain) return [unreachable()]
  try {
    const [{ maxFeePerGas }, committed, ...balances] = await Promise.all([
      chain.fees(),
      committedOn(listing.networkId),
      ...ctx.ports.keys.operators.map((operator) => chain.balance(operator)),
    ])
    const have = balances.reduce((sum, balance) => sum + balance, 0n)
    const left = isSelling(listing.status) ? 0n : remainingOf(listing)
    const promised = committed + left
    if (promised * MAX_GAS_PER_MINT * maxFeePerGas <= have) return []
    return [
      {
        code: 'gas_low',
        severity: 'WARNING',
        detail:
          `The operators on ${chain.network.name} may not have the gas for ${promised} promised mints. ` +
          'Fund them before they run out.',
      },
    ]
  } catch {
    return [unreachable()]
  }
}

/** Held units on this network (mints, claims, purchases, listings). */
async function countCommittedUnits(ctx: Context, networkId: number): Promise<bigint> {
  const [held] = await ctx.rows<{ units: bigint }>(COMMITTED, ctx.organizationId, networkId)
  return held!.units
}

const COMMITTED: Statement = {
  name: 'preflight_committed_units',
  text: `SELECT coalesce(sum(h.quantity), 0)::bigint AS units FROM collections c
    JOIN holds h ON h.organization_id = c.organization_id AND h.collection_id = c.id AND h.state = 'HELD'
    WHERE c.organization_id = $1::uuid AND c.network_id = $2::int`,
}
