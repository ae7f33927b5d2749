import { clientNetwork } from '../../../core/ip-address.ts'
import { secondsFrom } from '../../../core/clock.ts'
import { AppError } from '../../../core/errors.ts'
import { newId } from '../../../core/id.ts'
import { mailboxOf } from '../../../core/mailbox.ts'
import { suspendedError } from '../../../platform/auth/suspended.ts'
import { REASONS } from '../../../offers/listings/reasons.ts'
import type { ChosenItem } from '../../../offers/listings/choose-items.ts'
import { REFUSALS } from '../../../offers/listings/obstacles.ts'
import type { Offer } from '../../../offers/listings/offer.ts'
import { assertSelling, limitReached } from '../../../offers/listings/units.ts'
import { type Gas, spendGas } from '../../../orders/gas-budget.ts'
import { assertDeliverableNow, assertVoucherPossible } from '../../../stock/custody.ts'
import { promisesHeld } from '../../../stock/hold-units.ts'
import { foundOf } from '../find-earlier.ts'
import { assertFewOfBuyer, assertFewOfClient, isUnpaid } from '../open-purchase-limits.ts'
import { assertProved } from '../proof.ts'
import { assertFewAtOnce, sessionSecondsOf } from '../purchase-terms.ts'
import { basisOf } from './basis.ts'
import { isByVoucher, type PurchaseRequest, type Prepared, type SignedFor } from './purchase-request.ts'
import type { Facts, FactsOfOne } from './read-facts.ts'

export type SoldUnit = { item: ChosenItem; quantity: bigint }
/**
 * `id`: of the purchase that is made, which ends at `expiresAt` where it isn't paid. `voucher`: the one that is issued
 * with it.
 */
export type Accepted = {
  id: string
  units: readonly SoldUnit[]
  proofHash: Uint8Array<ArrayBuffer> | null
  expiresAt: Date
  voucher: SignedFor | null
}
type Decided =
  | { is: 'accepted'; sale: Accepted }
  | { is: 'refused'; error: unknown }
  /** A purchase that is there, or is made by this batch, is the answer. */
  | { is: 'found'; id: string; isOwn: boolean }
/** `alone`: nothing was decided; it is to be bought in a transaction of its own (`reserveAlone`). */
type Verdict = Decided | { is: 'alone' }

const ALONE: Verdict = { is: 'alone' }

/** The offer, its free items and the counts after the orders of a batch that were accepted so far. */
type Taken = {
  offer: Offer
  held: bigint
  items: ChosenItem[]
  /** null: the transaction of the order delivers it, or opens its payment, afterwards. */
  gas: Gas | null
  /** By address and mailbox, and by these and a client where the client's open purchases count. */
  units: Map<string, bigint>
  /** When they end. */
  unpaid: Map<string, Date[]>
  purchases: Map<string, bigint>
  proofs: Map<string, bigint>
  byRequest: Map<string, string>
  openOf: Map<string, { id: string; quantity: bigint }>
}

const plus = (counts: Map<string, bigint>, name: string, more: bigint): void =>
  void counts.set(name, (counts.get(name) ?? 0n) + more)
const of = (counts: Map<string, bigint>, name: string): bigint => counts.get(name) ?? 0n

/**
 * Decides a batch of orders of one listing in their order, each by what the ones before it left. Nothing is read and
 * nothing written here: the facts were read under the locks of the transaction that writes what is decided.
 */
export function judgeOrders(
  facts: FactsOfOne,
  orders: readonly PurchaseRequest[],
  prepared: readonly Prepared[],
): Decided[]
export function judgeOrders(facts: Facts, orders: readonly PurchaseRequest[], prepared: readonly Prepared[]): Verdict[]
export function judgeOrders(
  facts: Facts,
  orders: readonly PurchaseRequest[],
  prepared: readonly Prepared[],
): Verdict[] {
  const taken: Taken = {
    offer: facts.offer,
    held: facts.hold?.quantity ?? 0n,
    items: [...facts.items],
    gas: facts.minting?.gas ?? null,
    units: new Map(),
    unpaid: new Map(),
    purchases: new Map(),
    proofs: new Map(),
    byRequest: new Map(),
    openOf: new Map(),
  }
  if (isChanged(facts.readBy, facts.offer)) return orders.map(() => ALONE)
  return orders.map((order, at) => {
    try {
      const verdict = judge(facts, taken, order, at, prepared[at]!)
      if (verdict.is === 'accepted') enter(taken, order, verdict.sale)
      return verdict
    } catch (error) {
      return { is: 'refused', error }
    }
  })
}

/** The buyers' facts were read by what decides now. */
const isChanged = (asked: Offer, now: Offer): boolean =>
  asked.policyType !== now.policyType ||
  asked.snapshotId !== now.snapshotId ||
  (asked.maxPerUser === null) !== (now.maxPerUser === null) ||
  asked.proofOfWork !== now.proofOfWork

function judge(facts: Facts, taken: Taken, order: PurchaseRequest, at: number, prepared: Prepared): Verdict {
  const { ctx, terms } = order
  const { collection } = facts
  const { offer } = taken
  // Its client was told that the request took too long.
  ctx.signal?.throwIfAborted()
  const buyer = facts.buyers[at]!
  const earlier = buyer.earlier ?? (ctx.requestKey === undefined ? undefined : taken.byRequest.get(ctx.requestKey))
  if (earlier !== undefined) return { is: 'found', id: earlier, isOwn: true }
  if (offer.suspended) throw suspendedError()
  const found = findOpen(buyer, taken, order)
  if (found) return found
  assertSelling(offer, terms.quantity, ctx.now())
  if (isByVoucher(order) && offer.price > 0n && !collection.payoutAddress) throw REFUSALS.PAYOUT_ADDRESS_MISSING()
  assertFewUnpaid(facts, taken, order, buyer)
  const proofHash = judgeProof(facts, taken, order)
  assertFewAtOnce(offer, terms.quantity)
  if (!buyer.listed) throw new AppError('not_eligible', REASONS.NOT_ON_LIST, { extra: { reason: 'NOT_ON_LIST' } })
  assertWithinLimit(taken, order, buyer)
  if (taken.held < terms.quantity) throw REFUSALS.SOLD_OUT()
  const units = chooseUnits(taken, terms.quantity)
  if (!units && !taken.gas) throw REFUSALS.SOLD_OUT()
  if (!units || (taken.gas && !canBeMinted(facts, units))) return ALONE
  if (collection.promisesFrom && collection.promisesFrom > ctx.now()) throw promisesHeld()
  const expiresAt = secondsFrom(ctx.now(), sessionSecondsOf(offer, terms.provider))
  const sale = { id: newId(), units, proofHash, expiresAt, voucher: null }
  if (!taken.gas) assertDeliverable(order, units)
  else if (isByVoucher(order)) return judgeVoucher(prepared, basisOf(offer, collection, units[0]!.item), sale)
  else spendGas(taken.gas, units.length)
  return { is: 'accepted', sale }
}

/** The open voucher purchase of the address: in the books, or of this batch. */
function findOpen(buyer: Facts['buyers'][number], taken: Taken, order: PurchaseRequest): Verdict | null {
  const { terms, secret } = order
  if (!isByVoucher(order)) return null
  const { openId, openQuantity, openSecretHash: secretHash } = buyer
  const open = openId === null ? taken.openOf.get(terms.buyer.address!) : { id: openId, quantity: openQuantity! }
  return open ? { is: 'found', ...foundOf({ ...open, secretHash }, terms.quantity, secret) } : null
}

const identitiesOf = ({ terms: { buyer } }: PurchaseRequest): string[] => [
  ...(buyer.address ? [buyer.address] : []),
  ...(buyer.email ? [mailboxOf(buyer.email)] : []),
]

function assertFewUnpaid(facts: Facts, taken: Taken, order: PurchaseRequest, buyer: Facts['buyers'][number]): void {
  if (!isUnpaid(order)) return
  const client = clientNetwork(order.ctx.clientAddress)
  const ofBatch = (name: string) => taken.unpaid.get(name) ?? []
  const ofBuyer = identitiesOf(order)
    .map((name) => ofBatch(`${client} ${name}`))
    .reduce((most, open) => (open.length > most.length ? open : most), [])
  assertFewOfBuyer([...buyer.unpaid, ...ofBuyer])
  if (order.ctx.clientAddress) assertFewOfClient([...(facts.clients.get(client)?.unpaid ?? []), ...ofBatch(client)])
}

function judgeProof(facts: Facts, taken: Taken, { ctx, proof }: PurchaseRequest): Uint8Array<ArrayBuffer> | null {
  const client = clientNetwork(ctx.clientAddress)
  const known = facts.clients.get(client)!
  const purchases = known.purchases + of(taken.purchases, client)
  return assertProved(ctx, taken.offer, { ...known, purchases, proofs: known.proofs + of(taken.proofs, client) }, proof)
}

function assertWithinLimit(taken: Taken, order: PurchaseRequest, buyer: Facts['buyers'][number]): void {
  const { maxPerUser } = taken.offer
  if (maxPerUser === null) return
  const { buyer: named, quantity } = order.terms
  const client = clientNetwork(order.ctx.clientAddress)
  const has = (counted: bigint, name: string) => counted + of(taken.units, name) + of(taken.units, `${client} ${name}`)
  const ofAddress = named.address ? has(buyer.ofAddress, named.address) : 0n
  const ofMailbox = named.email ? has(buyer.ofMailbox, mailboxOf(named.email)) : 0n
  if (ofAddress + quantity > maxPerUser || ofMailbox + quantity > maxPerUser) throw limitReached(taken.offer)
}

/** The listing's item, or free items of its collection; null when others have locked them. */
function chooseUnits({ offer, items }: Taken, quantity: bigint): SoldUnit[] | null {
  if (offer.itemId !== null) return items.map((item) => ({ item, quantity }))
  const chosen = items.slice(0, Number(quantity))
  return BigInt(chosen.length) === quantity ? chosen.map((item) => ({ item, quantity: 1n })) : null
}

/** Whether units can be minted or redeemed just so; all else is looked at alone. */
const canBeMinted = ({ collection }: Facts, units: readonly SoldUnit[]): boolean =>
  !collection.waits &&
  collection.deploymentStatus === 'SUCCESS' &&
  collection.networkId !== null &&
  units.length > 0 &&
  units.every(
    ({ item, quantity }) =>
      item.custodian === null && item.lockedAt !== null && (collection.tokenType !== 'ERC721' || quantity === 1n),
  )

function assertDeliverable({ ctx, terms }: PurchaseRequest, units: readonly SoldUnit[]): void {
  for (const { item } of units) {
    assertDeliverableNow(ctx, item)
    if (terms.provider === 'MINT_VOUCHER') assertVoucherPossible(item, 'provider')
  }
}

/**
 * Accepts a purchase whose voucher was signed for what is sold now; any other is bought alone. Throws the reason why
 * its voucher couldn't be signed.
 */
function judgeVoucher(prepared: Prepared, basis: string, sale: Accepted): Verdict {
  if (prepared === null || sale.units.length > 1) return ALONE
  if ('error' in prepared) throw prepared.error
  const { expiresAt } = prepared
  return prepared.basis === basis ? { is: 'accepted', sale: { ...sale, expiresAt, voucher: prepared } } : ALONE
}

function enter(taken: Taken, order: PurchaseRequest, sale: Accepted): void {
  const { ctx, terms } = order
  const { quantity } = terms
  const client = clientNetwork(ctx.clientAddress)
  const isOpen = isUnpaid(order)
  const counter = isOpen ? 'quantityOpen' : 'quantityConfirmed'
  taken.offer = { ...taken.offer, [counter]: taken.offer[counter] + quantity }
  taken.held -= quantity
  if (taken.offer.itemId === null) taken.items.splice(0, sale.units.length)
  if (!isOpen && taken.gas) taken.gas = spendGas(taken.gas, sale.units.length)
  // Open units count for the client that made the purchase, confirmed ones for everybody.
  for (const name of identitiesOf(order)) plus(taken.units, isOpen ? `${client} ${name}` : name, quantity)
  plus(taken.purchases, client, 1n)
  if (sale.proofHash) plus(taken.proofs, client, 1n)
  if (ctx.requestKey !== undefined) taken.byRequest.set(ctx.requestKey, sale.id)
  if (!isOpen) return
  for (const name of [client, ...identitiesOf(order).map((each) => `${client} ${each}`)])
    taken.unpaid.set(name, [...(taken.unpaid.get(name) ?? []), sale.expiresAt])
  if (isByVoucher(order)) taken.openOf.set(terms.buyer.address!, { id: sale.id, quantity })
}
