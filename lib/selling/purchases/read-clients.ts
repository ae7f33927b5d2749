import type { Listing } from '../../../generated/prisma/client.ts'
import { DAY, HOUR, secondsFrom } from '../../core/clock.ts'
import { env } from '../../core/env.ts'
import { clientNetwork } from '../../core/ip-address.ts'
import { type Call, call, type Statement } from '../../db/statements.ts'
import type { Context } from '../../platform/auth/context.ts'

/** How often a client counts as one that comes as usual: as often in an hour as it may have purchases open. */
const USUAL_SECONDS = HOUR
/** How long a client's proofs make its next one harder. */
const EARLIER_SECONDS = DAY

/** Whether demand alone may ask for proofs. */
export const asksUnderPressure = (): boolean => env.PROOF_OF_WORK === 'auto' && env.OPEN_INTENTS_PER_CLIENT > 0

/**
 * A client's earlier purchases of the listing in USUAL_SECONDS, its proofs in EARLIER_SECONDS, and when its unpaid
 * purchases of the listing end. `unopened`: units in free claims of the listing that nobody has opened, read for
 * clients that came before.
 */
export type ClientFacts = { client: string; purchases: bigint; proofs: bigint; unpaid: Date[]; unopened: bigint }
export type ClientsOf = Pick<Listing, 'id' | 'organizationId' | 'proofOfWork' | 'paymentProviders'>

/**
 * $3: as many purchases as matter; none where no proof is asked for by them. $5: whether earlier proofs matter. $6:
 * open unpaid ones.
 */
const READ_CLIENTS: Statement = {
  name: 'read_clients',
  text: `SELECT c.client, usual.purchases,
      CASE WHEN $5::boolean
        THEN (SELECT count(*) FROM purchase_intents i WHERE i.organization_id = $2::uuid AND i.client_network = c.client
          AND i.created_at > $7::timestamptz AND i.proof_hash IS NOT NULL) ELSE 0 END AS proofs,
      ARRAY(SELECT i.expires_at FROM purchase_intents i
        WHERE i.organization_id = $2::uuid AND i.client_network = c.client
          AND i.listing_id = $1::uuid AND i.status = 'PENDING' LIMIT $6::int) AS unpaid,
      CASE WHEN $8::boolean AND (usual.purchases > 0 OR c.comes > 1) THEN (
        SELECT coalesce(sum(e.quantity), 0)::bigint FROM email_claims e
        JOIN purchase_intents i ON i.id = e.purchase_intent_id AND i.listing_id = $1::uuid
          AND i.provider = 'EMAIL_CLAIM'
        WHERE e.state = 'OPEN' AND e.opened_at IS NULL AND e.last_pin_sent_at IS NULL) ELSE 0 END AS unopened
    FROM (SELECT client, count(*) AS comes FROM unnest($9::text[]) AS client GROUP BY client) AS c
    CROSS JOIN LATERAL (SELECT count(*) AS purchases FROM (
      SELECT 1 FROM purchase_intents i WHERE i.organization_id = $2::uuid AND i.client_network = c.client
        AND i.created_at > $4::timestamptz AND i.listing_id = $1::uuid LIMIT $3::int) counted) AS usual`,
}

/**
 * Reads `ClientFacts` of those who want something of a listing. `unpaid`: whether open purchases matter; `proofs`:
 * whether earlier ones always do.
 */
export function clientsCall(
  { id, organizationId, proofOfWork, paymentProviders }: ClientsOf,
  clients: readonly string[],
  now: Date,
  { unpaid = false, proofs = false }: { unpaid?: boolean; proofs?: boolean },
): Call {
  const isPressed = asksUnderPressure() && !proofOfWork
  const mayAsk = env.PROOF_OF_WORK === 'auto' && (proofOfWork || isPressed)
  return call(
    READ_CLIENTS,
    id,
    organizationId,
    isPressed ? env.OPEN_INTENTS_PER_CLIENT : 0,
    secondsFrom(now, -USUAL_SECONDS),
    proofs || mayAsk,
    unpaid ? env.OPEN_INTENTS_PER_CLIENT : 0,
    secondsFrom(now, -EARLIER_SECONDS),
    isPressed && paymentProviders.includes('EMAIL_CLAIM'),
    clients,
  )
}

/** Reads `ClientFacts` of this request's client alone, without a lock and without its unpaid purchases. */
export async function readClient(ctx: Context, listing: ClientsOf): Promise<ClientFacts> {
  const { statement, values } = clientsCall(listing, [clientNetwork(ctx.clientAddress)], ctx.now(), { proofs: true })
  const [client] = await ctx.rows<ClientFacts>(statement, ...values)
  return client!
}
