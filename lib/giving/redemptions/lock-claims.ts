import type { EmailClaim, Item, Pin } from '../../../generated/prisma/client.ts'
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

export type LockedClaim = Pick<
  EmailClaim,
  'id' | 'state' | 'generation' | 'expiresAt' | 'wrongPins' | 'linkWrongPins' | 'declinedAt'
>
export type LockedPin = OpenPin & Pick<Pin, 'claimId' | 'expiresAt'>
type LockedItem = Pick<Item, 'id' | 'custodian' | 'lockedAt'>
/** What decides redemptions of claims of one collection. Without `minting` none of them asks for a mint. */
export type LockedFacts = {
  claims: readonly LockedClaim[]
  /** The open PIN of each, where there is one. */
  pins: readonly LockedPin[]
  minting: {
    items: ReadonlyMap<string, LockedItem>
    /** The claims that still hold their units. */
    holders: ReadonlySet<string>
    collection: MintedCollection
    waiting: WaitingTransaction | null
    gas: Gas
  } | null
}

const LOCK_CLAIMS: Statement = {
  name: 'lock_redeemed_claims',
  text: `SELECT id, state::text AS state, generation, expires_at AS "expiresAt", wrong_pins AS "wrongPins", link_wrong_pins AS "linkWrongPins",
      declined_at AS "declinedAt"
    FROM email_claims WHERE id = ANY($1::uuid[]) ORDER BY id FOR NO KEY UPDATE`,
}

/** Whoever writes a claim's PINs has locked the claim. */
const READ_PINS: Statement = {
  name: 'read_redeemable_pins',
  text: `SELECT id, claim_id AS "claimId", hash, server_key_id AS "serverKeyId", wrong_tries AS "wrongTries", state::text AS state,
      expires_at AS "expiresAt"
    FROM pins WHERE claim_id = ANY($1::uuid[]) AND state = 'OPEN'`,
}

const LOCK_ITEMS: Statement = {
  name: 'lock_redeemed_items',
  text: `SELECT id, kept_by AS custodian, locked_at AS "lockedAt" FROM items WHERE id = ANY($1::uuid[]) ORDER BY id FOR NO KEY UPDATE`,
}

/** Whoever changes a hold has locked its item. */
const READ_HOLDERS: Statement = {
  name: 'read_redeemable_holders',
  text: `SELECT holder_id AS id FROM holds WHERE holder_type = 'CLAIM' AND holder_id = ANY($1::uuid[]) AND state = 'HELD'`,
}

/**
 * Locks claims of one collection, and for those that are to be minted their items and the collection, in the order of locks, and reads what
 * decides them: all in the first round trip of their transaction.
 */
export async function lockClaims(
  run: Run,
  claims: readonly Redeemable[],
  minted: readonly Redeemable[],
  now: Date,
): Promise<LockedFacts> {
  const ids = claims.map(({ id }) => id)
  const [first] = minted
  const answers = await run(
    call(LOCK_CLAIMS, ids),
    call(READ_PINS, ids),
    ...(first
      ? [
          call(
            LOCK_ITEMS,
            minted.map(({ itemId }) => itemId),
          ),
          call(
            READ_HOLDERS,
            minted.map(({ id }) => id),
          ),
          call(LOCK_COLLECTION, first.collectionId),
          call(LOCK_WAITING, first.collectionId),
          gasCall(first.organizationId, first.item.collection.networkId, now),
        ]
      : []),
  )
  const [locked, pins, items = [], holders = [], [collection] = [], [waiting] = [], [gas] = []] =
    answers as unknown as [
      LockedClaim[],
      LockedPin[],
      LockedItem[]?,
      { id: string }[]?,
      MintedCollection[]?,
      WaitingTransaction[]?,
      GasRow[]?,
    ]
  return {
    claims: locked,
    pins,
    minting: collection
      ? {
          items: new Map(items.map((item) => [item.id, item])),
          holders: new Set(holders.map(({ id }) => id)),
          collection,
          waiting: waiting ?? null,
          gas: gasOf(gas!),
        }
      : null,
  }
}
