import { expect } from 'vitest'
import { parseEther } from 'viem'
import { generatePrivateKey, privateKeyToAccount } from 'viem/accounts'
import { systemClient } from '../../../../lib/db/client.ts'
import { takeBackup } from '../../../support/organization-backup.ts'
import { makeRedeemableClaims } from '../../../support/redeemable-claims.ts'
import { sendVoucher } from '../../../support/vouchers.ts'
import { eventually } from '../stage.ts'
import { makeGallery, type Story } from '../story.ts'

/**
 * The books are put back to before a claim was redeemed, whose recipient sends the voucher then: it was signed here, and the books don't
 * know it.
 */
export const lostVoucher: Story = async (stage) => {
  const gallery = await makeGallery()
  const { organization, collectionId, contract, itemIds } = gallery
  const { db } = organization.ctx
  const [claim] = await makeRedeemableClaims(organization, collectionId, itemIds, { txPayer: 'BUYER' })
  const recipient = privateKeyToAccount(generatePrivateKey())
  await stage.chain.node.setBalance({ address: recipient.address, value: parseEther('1') })
  const putBack = await takeBackup(organization.id)
  const redeemed = await stage.post(undefined, `/public/v1/email-claims/${claim!.token}/redeem`, {
    pin: claim!.pin,
    address: recipient.address,
  })
  expect(redeemed.status, JSON.stringify(redeemed.body)).toBe(201)
  await putBack()
  const since = new Date()
  const recoveries = () => systemClient().recovery.findMany({ where: { startedAt: { gte: since } } })
  return {
    organization,
    act: () => sendVoucher(stage.chain, recipient, redeemed.body.voucher),
    check: async () => {
      await eventually('The delivery', async () => (await db.emailClaim.findFirstOrThrow()).state === 'CLAIMED')
      await eventually('The end of the recovery', async () => (await recoveries()).every(({ endedAt }) => endedAt))
      expect(await recoveries()).toHaveLength(1)
      expect(await stage.movesOf(contract)).toEqual([{ id: 1, to: recipient.address }])
      expect((await db.mintRequest.findMany()).map(({ state, claimId }) => [state, claimId])).toEqual([
        ['COMPLETED', claim!.id],
      ])
      expect(await db.unmatchedMint.findMany()).toMatchObject([{ state: 'MATCHED' }])
    },
  }
}
