import { columns, type RowOf } from '../../db/columns.ts'
import type { Run } from '../../db/organization-transaction.ts'
import { call, type Statement } from '../../db/statements.ts'
import { type Gas, gasCall, gasOf, type GasRow } from '../../orders/gas-budget.ts'
import {
  LOCK_COLLECTION,
  LOCK_WAITING,
  type MintedCollection,
  type WaitingTransaction,
} from '../../onchain/mints/request-together.ts'
import type { OpenPin } from './judge-pin.ts'
import type { Redeemable } from './read-redeemable.ts'

const CLAIM = columns('email_claims', 'EmailClaim', [
  'id',
  'state',
  'generation',
  'expiresAt',
  'wrongPins',
  'linkWrongPins',
  'declinedAt',
])
export type LockedClaim = RowOf<typeof CLAIM>
const PIN = columns('pins', 'Pin', ['id', 'claimId', 'hash', 'serverKeyId', 'wrongTries', 'state', 'expiresAt'])
export type LockedPin = OpenPin & RowOf<typeof PIN>
const ITEM = columns('items', 'Item', ['id', 'custodian', 'lockedAt', 'minted'])
type LockedItem = RowOf<typeof ITEM>
/** The facts that decide redemptions of claims of one collection. Without `minting` none of them asks for a mint. */
export type LockedFacts = {
  claims: readonly LockedClaim[]
  /** The open PIN of each, where there is one. */
  pins: readonly LockedPin[]
  /** Of claims for which something is due. */
  items: ReadonlyMap<string, LockedItem>
  /** The pending voucher of each claim for which one is due, if it has one: its id. */
  vouchers: ReadonlyMap<string, string>
  minting: {
    /** The claims that still hold their units. */
    holders: ReadonlySet<string>
    collection: MintedCollection
    waiting: WaitingTransaction | null
    gas: Gas
  } | null
}

const LOCK_CLAIMS: Statement = {
  name: 'lock_redeemed_claims',
  text: `SELECT ${CLAIM} FROM email_claims WHERE id = ANY($1::uuid[]) ORDER BY id FOR NO KEY UPDATE`,
}

/** Whoever writes a claim's PINs has locked the claim. */
const READ_PINS: Statement = {
  name: 'read_redeemable_pins',
  text: `SELECT ${PIN} FROM pins WHERE claim_id = ANY($1::uuid[]) AND state = 'OPEN'`,
}

const LOCK_ITEMS: Statement = {
  name: 'lock_redeemed_items',
  text: `SELECT ${ITEM} FROM items WHERE id = ANY($1::uuid[]) ORDER BY id FOR NO KEY UPDATE`,
}

/** Whoever changes a hold has locked its item. */
const READ_HOLDERS: Statement = {
  name: 'read_redeemable_holders',
  text: `SELECT holder_id AS id FROM holds
    WHERE holder_type = 'CLAIM' AND holder_id = ANY($1::uuid[]) AND state = 'HELD'`,
}

const READ_VOUCHERS: Statement = {
  name: 'read_pending_vouchers',
  text: `SELECT ${columns('vouchers', 'Voucher', ['id', 'claimId'])}
    FROM vouchers WHERE claim_id = ANY($1::uuid[]) AND state = 'PENDING'`,
}

/**
 * Locks claims of one collection, their items where something is due, and the collection where mints are, in the order
 * of locks, and reads what decides them: all in the first round trip of their transaction.
 */
export async function lockClaims(
  run: Run,
  claims: readonly Redeemable[],
  { minted, vouched }: { minted: readonly Redeemable[]; vouched: readonly Redeemable[] },
  now: Date,
): Promise<LockedFacts> {
  const idsOf = (some: readonly Redeemable[], name: 'id' | 'itemId' = 'id') => some.map((claim) => claim[name])
  const due = [...minted, ...vouched]
  const [first] = minted
  const calls = {
    claims: call(LOCK_CLAIMS, idsOf(claims)),
    pins: call(READ_PINS, idsOf(claims)),
    ...(due.length > 0 && { items: call(LOCK_ITEMS, idsOf(due, 'itemId')) }),
    ...(vouched.length > 0 && { vouchers: call(READ_VOUCHERS, idsOf(vouched)) }),
    ...(first && {
      holders: call(READ_HOLDERS, idsOf(minted)),
      collection: call(LOCK_COLLECTION, first.collectionId),
      waiting: call(LOCK_WAITING, first.collectionId),
      gas: gasCall(first.organizationId, first.item.collection.networkId, now),
    }),
  }
  const rows = await run(...Object.values(calls))
  const answers = Object.fromEntries(Object.keys(calls).map((name, at) => [name, rows[at]])) as unknown as Answers
  const [collection] = answers.collection ?? []
  return {
    claims: answers.claims,
    pins: answers.pins,
    items: new Map(answers.items?.map((item) => [item.id, item])),
    vouchers: new Map(answers.vouchers?.map(({ id, claimId }) => [claimId, id])),
    minting: collection
      ? {
          holders: new Set(answers.holders!.map(({ id }) => id)),
          collection,
          waiting: answers.waiting![0] ?? null,
          gas: gasOf(answers.gas![0]!),
        }
      : null,
  }
}

type Answers = { claims: LockedClaim[]; pins: LockedPin[] } & Partial<{
  items: LockedItem[]
  vouchers: { id: string; claimId: string }[]
  holders: { id: string }[]
  collection: MintedCollection[]
  waiting: WaitingTransaction[]
  gas: GasRow[]
}>
