import type { HolderType } from '../../generated/prisma/client.ts'
import { type Call, call, type Statement } from '../db/statements.ts'
import type { Holder } from './hold-units.ts'

/** The listing's own hold, locked. Lock the listing and its items before. */
export const LOCK_HOLD: Statement = {
  name: 'lock_hold',
  text: `SELECT id, quantity FROM holds
    WHERE holder_type = $1::"HolderType" AND holder_id = $2::uuid AND state = 'HELD' FOR NO KEY UPDATE`,
}
export type LockedHold = { id: string; quantity: bigint }

const RELEASE: Statement = {
  name: 'release_hold',
  text: `UPDATE holds SET state = 'RELEASED', updated_at = $2::timestamptz WHERE id = $1::uuid`,
}

/** The statement that ends a locked hold. */
export const releaseHoldCall = ({ id }: LockedHold, now: Date): Call => call(RELEASE, id, now)

const HOLD: Statement = {
  name: 'hold_units',
  text: `INSERT INTO holds (id, organization_id, collection_id, item_id, holder_type, holder_id, quantity, created_at,
      updated_at)
    SELECT h.id, $1::uuid, $2::uuid, h.item_id, h.holder_type::"HolderType", h.holder_id, h.quantity,
      $3::timestamptz, $3::timestamptz
    FROM unnest($4::uuid[], $5::uuid[], $6::text[], $7::uuid[], $8::bigint[])
      AS h(id, item_id, holder_type, holder_id, quantity)`,
}
export type NewHold = { id: string; itemId: string; holder: Holder; quantity: bigint }

/**
 * The statement that holds units of a collection's locked items for many holders. Where the database refuses it, see
 * `stockError`.
 */
export const holdCall = (
  { organizationId, id }: { organizationId: string; id: string },
  holds: readonly NewHold[],
  now: Date,
): Call =>
  call(
    HOLD,
    organizationId,
    id,
    now,
    holds.map((hold) => hold.id),
    holds.map(({ itemId }) => itemId),
    holds.map(({ holder }): HolderType => holder.type),
    holds.map(({ holder }) => holder.id),
    holds.map(({ quantity }) => quantity),
  )

const TAKE_FROM: Statement = { name: 'take_from_hold', text: `SELECT set_config('vitrine.taken_from', $1, true)` }

/**
 * The statements that hold units of a collection's locked items for many holders, with units that a listing's locked
 * hold gives up. They are never free in between, and each item is updated once.
 */
export const takeFromHoldCalls = (
  { id }: LockedHold,
  collection: { organizationId: string; id: string },
  holds: readonly NewHold[],
  now: Date,
): Call[] => [call(TAKE_FROM, id), holdCall(collection, holds, now)]

/** Two statements: the one for HELD alone can use the partial index of these holds. */
const pass = (name: string, states: string): Statement => ({
  name,
  text: `UPDATE holds h SET holder_type = $2::"HolderType", holder_id = p.to_id, updated_at = $3::timestamptz
    FROM unnest($4::uuid[], $5::uuid[], $6::uuid[]) AS p(from_id, to_id, item_id)
    WHERE h.holder_type = $1::"HolderType" AND h.holder_id = p.from_id AND h.item_id = p.item_id
      AND h.state ${states}
    RETURNING h.id`,
})
const PASS = pass('pass_holds', `= 'HELD'`)
const PASS_MINTED = pass('pass_minted_holds', `IN ('HELD', 'EXCEPTION')`)

/**
 * The statement that hands what holders hold of locked items to others, and gives the holds. The units are never free
 * in between. `orMinted`: also what was minted already, since we may have minted it for the same promise.
 */
export const passHoldsCall = (
  { from, to, orMinted = false }: { from: HolderType; to: HolderType; orMinted?: boolean },
  passed: readonly { fromId: string; toId: string; itemId: string }[],
  now: Date,
): Call =>
  call(
    orMinted ? PASS_MINTED : PASS,
    from,
    to,
    now,
    passed.map(({ fromId }) => fromId),
    passed.map(({ toId }) => toId),
    passed.map(({ itemId }) => itemId),
  )
