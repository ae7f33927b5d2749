import type { Context } from '../platform/auth/context.ts'
import type { Statement } from '../db/statements.ts'
import { findNetworksWithoutCode } from './find-networks-without-code.ts'

export type PayoutWarning = { network_id: number; detail: string; listing_id?: string; is_burn_address?: true }

/** Short, since every page of the dashboard shows the warnings. */
const CHECK_TIMEOUT_MS = 2_000

const NETWORKS: Statement = {
  name: 'networks_of_collections',
  text: 'SELECT DISTINCT network_id FROM collections WHERE organization_id = $1::uuid AND network_id IS NOT NULL',
}

/**
 * Warns of an address that nobody has the key of, and of networks where the payout address is a contract that isn't
 * deployed: money sent there is lost. Calls every network on which the organization has a collection, so call it
 * outside of transactions. A network that doesn't answer in time is left out.
 */
export async function listPayoutWarnings(ctx: Context, payoutAddress: string): Promise<PayoutWarning[]> {
  const used = await ctx.rows<{ network_id: number }>(NETWORKS, ctx.organizationId)
  if (isBurnAddress(payoutAddress)) {
    const network_id = used[0]?.network_id ?? ctx.ports.chains.keys().next().value
    return network_id === undefined ? [] : [{ network_id, detail: BURNS, is_burn_address: true }]
  }
  const chains = used.flatMap(({ network_id }) => ctx.ports.chains.get(network_id) ?? [])
  const { lost } = await findNetworksWithoutCode(chains, payoutAddress, CHECK_TIMEOUT_MS)
  return lost.map(({ id, name }) => ({
    network_id: id,
    detail: `The payout address is a contract that is not deployed on ${name}: funds sent there would be lost.`,
  }))
}

const BURNS =
  'Nobody has the key of the payout address, to which tokens are sent to burn them: ' +
  'funds sent there are lost on every network.'

/** Addresses that nobody has the key of, by convention: 0x…dEaD, and those of a few trailing digits. */
const isBurnAddress = (address: string): boolean =>
  /^0x(?:0{36}dead|0{39}[0-9a-f]|(?:dead){10}|(.)\1{39})$/i.test(address)

export type StoppedListing = { id: string; networkId: number; title: string }

const MOST_NAMED = 100

/** A subquery for listings of organization $1 that stay paused until there is a payout address. */
export const STOPPED_LISTINGS = `SELECT l.id, l.network_id AS "networkId",
    coalesce(i.attributes ->> 'title', c.name) AS title
  FROM listings l JOIN collections c ON c.organization_id = l.organization_id AND c.id = l.collection_id
    LEFT JOIN items i ON i.id = l.item_id
  WHERE l.organization_id = $1::uuid AND l.status = 'PAUSED' AND 'MINT_VOUCHER' = ANY (l.payment_providers)
  ORDER BY l.id DESC LIMIT ${MOST_NAMED}`

const STOPPED: Statement = { name: 'listings_without_payout', text: STOPPED_LISTINGS }

/** Names the listings that nobody can buy from while there is no payout address, the newest hundred of them. */
export const listStoppedListings = async (ctx: Context): Promise<PayoutWarning[]> =>
  (await ctx.rows<StoppedListing>(STOPPED, ctx.organizationId)).map(stoppedWarningOf)

export const stoppedWarningOf = ({ id, networkId, title }: StoppedListing): PayoutWarning => ({
  network_id: networkId,
  listing_id: id,
  detail: `“${title}” is paused: without a payout address nothing can be sold by mint voucher.`,
})
