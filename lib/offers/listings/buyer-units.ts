import type { IdentityKind } from '../../../generated/prisma/client.ts'
import type { Context } from '../../platform/auth/context.ts'
import { clientNetwork } from '../../core/ip-address.ts'
import { mailboxOf } from '../../core/mailbox.ts'

/** A buyer: an EIP-55 address, an email, or both. */
export type Buyer = { email?: string | null; address?: string | null }
export type Identity = { kind: IdentityKind; identity: string }

/** The identities of a buyer as allow lists have them. */
export const identitiesOf = ({ email, address }: Buyer): Identity[] => [
  ...(address ? [{ kind: 'ADDRESS' as const, identity: address }] : []),
  ...(email ? [{ kind: 'EMAIL' as const, identity: email.toLowerCase() }] : []),
]

/**
 * An identity as allow lists have it, and as `max_per_user` counts it: the address, and the mailbox behind the email.
 */
type CountedIdentity = Identity & { counted: string }

/**
 * Which open purchases `i` count for a buyer, in SQL, beside all that are confirmed: those that this client made, and
 * those whose buyer has proved the address. What others opened in the name of an address or a mailbox doesn't count,
 * except vouchers that were given up: the address can still redeem them.
 */
export const countsFor = {
  EMAIL: (client: string) => `(i.client_network = ${client} OR i.buyer_proved)`,
  ADDRESS: (client: string) =>
    `(i.client_network = ${client} OR i.buyer_proved OR (i.provider = 'MINT_VOUCHER' AND i.status <> 'PENDING'))`,
} as const satisfies Record<IdentityKind, (client: string) => string>

/** How a buyer's identities stand at `listings l`. */
export const STANDINGS_OF_LISTING = `
    SELECT asked.kind, asked.at,
      CASE l.policy_type::text
        WHEN 'ALLOW_LIST' THEN EXISTS (SELECT 1 FROM listing_allowances a
          WHERE a.listing_id = l.id AND a.kind = asked.kind AND a.identity = asked.identity)
        WHEN 'SNAPSHOT' THEN asked.kind = 'ADDRESS' AND EXISTS (SELECT 1 FROM snapshot_holders s
          WHERE s.snapshot_id = l.snapshot_id AND s.address = asked.identity)
        ELSE false END AS listed,
      (coalesce((SELECT b.quantity FROM listing_buyers b
          WHERE b.listing_id = l.id AND b.kind = asked.kind AND b.identity = asked.counted), 0)
        + coalesce((SELECT sum(i.quantity) FROM purchase_intents i
          WHERE asked.kind = 'EMAIL' AND i.listing_id = l.id AND i.units_state = 'OPEN'
            AND i.buyer_mailbox = asked.counted AND ${countsFor.EMAIL('$2::text')}), 0)
        + coalesce((SELECT sum(i.quantity) FROM purchase_intents i
          WHERE asked.kind = 'ADDRESS' AND i.listing_id = l.id AND i.units_state = 'OPEN'
            AND i.buyer_address = asked.counted AND ${countsFor.ADDRESS('$2::text')}), 0))::bigint AS claimed
    FROM unnest($3::text[]::"IdentityKind"[], $4::text[], $5::text[]) WITH ORDINALITY
      AS asked(kind, identity, counted, at)`

/** The values of `STANDINGS_OF_LISTING`: the listing, the client that asks, and the buyer's identities. */
export const standingValuesOf = (ctx: Context, listingId: string, asked: readonly CountedIdentity[]) =>
  [
    listingId,
    clientNetwork(ctx.clientAddress),
    asked.map(({ kind }) => kind),
    asked.map(({ identity }) => identity),
    asked.map(({ counted }) => counted),
  ] as const

/** A buyer's identities as standings are asked for. */
export const askedOf = (buyer: Buyer): CountedIdentity[] =>
  identitiesOf(buyer).map((each) => ({
    ...each,
    counted: each.kind === 'EMAIL' ? mailboxOf(buyer.email!) : each.identity,
  }))
