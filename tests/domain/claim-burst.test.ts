import { expect, test } from 'vitest'
import { redeemClaim } from '../../lib/giving/redeem-claim.ts'
import { sendPin } from '../../lib/giving/send-pin.ts'
import { systemClient } from '../../lib/db/client.ts'
import { makeRandomAddress, installFakeChain, sendClaim } from '../support/claims.ts'
import { startMailbox } from '../support/mailbox.ts'
import { makeOrganization } from '../support/organization.ts'
import { countDeadlocks } from '../support/statistics.ts'

test('1,000 redemptions at once with the right PIN make one mint request, and 999 get claim_already_claimed', async () => {
  const mailbox = await startMailbox()
  installFakeChain()
  const claim = await sendClaim(await makeOrganization())
  await sendPin(claim.ctx)
  const pin = await mailbox.pinOf(claim.email)
  const codes = await Promise.all(
    Array.from({ length: 1000 }, () =>
      redeemClaim(claim.ctx, { address: makeRandomAddress(), pin }).then(
        ({ status }) => status,
        (error: { code: string }) => error.code,
      ),
    ),
  )
  expect(codes.filter((code) => code === 'CLAIMED')).toHaveLength(1)
  expect(codes.filter((code) => code === 'claim_already_claimed')).toHaveLength(999)
  expect(await systemClient().mintRequest.count({ where: { claimId: claim.id } })).toBe(1)
  expect((await systemClient().item.findUniqueOrThrow({ where: { id: claim.itemId } })).held).toBe(1n)
  expect(await countDeadlocks()).toBe(0)
}, 180_000)
