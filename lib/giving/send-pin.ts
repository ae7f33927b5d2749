import { randomInt } from 'node:crypto'
import { type Context, inTransaction } from '../platform/auth/context.ts'
import { assertNotSuspended } from '../platform/auth/suspended.ts'
import { HOUR, MINUTE, secondsFrom } from '../core/clock.ts'
import { AppError } from '../core/errors.ts'
import { newId } from '../core/id.ts'
import { currentKeyId, hmac } from '../core/secrets.ts'
import { assertNotSuppressed } from '../messaging/email-integrations/find-suppression.ts'
import { getClaimItems } from './get-claim-items.ts'
import { discardMails } from '../messaging/outbox/discard-mails.ts'
import { PIN_MINUTES } from '../messaging/outbox/outbox.ts'
import { mailPin } from './claim-mails.ts'
import { linkOf, assertActive } from './current-claim.ts'
import { lockClaimInFull } from './read-claim.ts'
import { voidPins } from './void-pins.ts'

const SPACING_SECONDS = MINUTE
const MAX_PER_HOUR = 5

/** What is stored of a PIN: without the server's key nobody can try all million of them. */
export const pinHash = (claimId: string, pin: string) => new Uint8Array(hmac('pin', claimId, pin))

/** Mails a new PIN to the claim's address; the earlier one stops working. */
export const sendPin = (ctx: Context) =>
  inTransaction(ctx, async (tx) => {
    const claim = await lockClaimInFull(tx, linkOf(tx).id)
    assertActive(tx, claim)
    await assertNotSuspended(tx, claim)
    await assertNotSuppressed(tx, claim.email, 'Ask whoever sent you the link: they can allow it again.')
    const now = tx.now()
    await assertNotTooSoon(tx, claim.id, claim.lastPinSentAt, now)
    const pin = randomInt(1_000_000).toString().padStart(6, '0')
    await voidPins(tx, claim.id)
    await discardMails(tx, claim.id, ['CLAIM_PINCODE'])
    await tx.db.pin.create({
      data: {
        id: newId(),
        organizationId: tx.organizationId,
        claimId: claim.id,
        hash: pinHash(claim.id, pin),
        serverKeyId: currentKeyId(),
        expiresAt: secondsFrom(now, PIN_MINUTES * MINUTE),
        createdAt: now,
      },
    })
    await tx.db.emailClaim.updateMany({ where: { id: claim.id }, data: { lastPinSentAt: now } })
    await mailPin(tx, claim, pin)
    return (await getClaimItems(tx, claim.itemId)).item
  })

async function assertNotTooSoon(tx: Context, claimId: string, lastSentAt: Date | null, now: Date): Promise<void> {
  const sinceLast = lastSentAt ? (now.getTime() - lastSentAt.getTime()) / 1000 : Infinity
  if (sinceLast < SPACING_SECONDS) throw tooSoonError(SPACING_SECONDS - sinceLast)
  const sent = await tx.db.pin.findMany({
    where: { claimId, createdAt: { gt: secondsFrom(now, -HOUR) } },
    orderBy: { createdAt: 'desc' },
    take: MAX_PER_HOUR,
    select: { createdAt: true },
  })
  const eldest = sent[MAX_PER_HOUR - 1]
  if (eldest) throw tooSoonError(HOUR - (now.getTime() - eldest.createdAt.getTime()) / 1000)
}

function tooSoonError(waitSeconds: number): AppError {
  const seconds = Math.max(1, Math.ceil(waitSeconds))
  const wait = seconds <= 90 ? `${seconds} seconds` : `${Math.ceil(seconds / 60)} minutes`
  return new AppError('rate_limited', `A PIN was sent a moment ago. You can ask for another one in ${wait}.`, {
    retryAfterSeconds: seconds,
  })
}
