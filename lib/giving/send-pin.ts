import { randomInt } from 'node:crypto'
import { type Context, inTransaction } from '../platform/auth/context.ts'
import { assertNotSuspended } from '../platform/auth/suspended.ts'
import { MINUTE, secondsFrom } from '../core/clock.ts'
import { notFound } from '../core/errors.ts'
import { newId } from '../core/id.ts'
import { currentKeyId, hmac } from '../core/secrets.ts'
import type { Statement } from '../db/statements.ts'
import { assertNotSuppressed } from '../messaging/email-integrations/find-suppression.ts'
import { getClaimItems } from './get-claim-items.ts'
import { discardMails } from '../messaging/outbox/discard-mails.ts'
import { PIN_MINUTES } from '../messaging/outbox/outbox.ts'
import { mailPin } from './claim-mails.ts'
import { linkOf, assertActive } from './current-claim.ts'
import { anHourBefore, assertPaced, MAX_PER_HOUR } from './mail-pace.ts'
import { lockClaimsInFull } from './read-claim.ts'
import { voidPins } from './void-pins.ts'

/** The hash of a PIN, which is stored instead of it. Without the server's key nobody can try all million PINs. */
export const pinHash = (claimId: string, pin: string) => new Uint8Array(hmac('pin', claimId, pin))

const ADD_PIN: Statement = {
  name: 'add_pin',
  text: `INSERT INTO pins (id, organization_id, claim_id, hash, server_key_id, expires_at, created_at)
    VALUES ($1::uuid, $2::uuid, $3::uuid, $4::bytea, $5::text, $6::timestamptz, $7::timestamptz)`,
}

const NOTE_SENDING: Statement = {
  name: 'note_pin_sending',
  text: `UPDATE email_claims SET last_pin_sent_at = $3::timestamptz, updated_at = $3::timestamptz
    WHERE organization_id = $1::uuid AND id = $2::uuid`,
}

/** Mails a new PIN to the claim's address; the earlier one stops working. */
export const sendPin = (ctx: Context) =>
  inTransaction(ctx, async (tx) => {
    const [claim] = await lockClaimsInFull(tx, [linkOf(tx).id])
    if (!claim) throw notFound()
    assertActive(tx, claim)
    await assertNotSuspended(tx, claim)
    await assertNotSuppressed(tx, claim.email, 'Ask whoever sent you the link: they can allow it again.')
    const now = tx.now()
    await assertNotTooSoon(tx, claim.id, claim.lastPinSentAt, now)
    const pin = randomInt(1_000_000).toString().padStart(6, '0')
    await voidPins(tx, claim.id)
    await discardMails(tx, claim.id, ['CLAIM_PINCODE'])
    await tx.later(
      ADD_PIN,
      newId(),
      tx.organizationId,
      claim.id,
      pinHash(claim.id, pin),
      currentKeyId(),
      secondsFrom(now, PIN_MINUTES * MINUTE),
      now,
    )
    await tx.later(NOTE_SENDING, tx.organizationId, claim.id, now)
    await mailPin(tx, claim, pin)
    return (await getClaimItems(tx, claim.itemId)).item
  })

async function assertNotTooSoon(tx: Context, claimId: string, last: Date | null, now: Date): Promise<void> {
  const sent = await tx.db.pin.findMany({
    where: { claimId, createdAt: { gt: anHourBefore(now) } },
    orderBy: { createdAt: 'desc' },
    take: MAX_PER_HOUR,
    select: { createdAt: true },
  })
  assertPaced({ last, sent }, now, (wait) => `A PIN was sent a moment ago. You can ask for another one in ${wait}.`)
}
