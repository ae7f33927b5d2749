import { expect } from 'vitest'
import { parseEther } from 'viem'
import { generatePrivateKey, privateKeyToAccount } from 'viem/accounts'
import { foundry } from 'viem/chains'
import { encodeTransfer721 } from '../../../../lib/core/contracts/calls.ts'
import {
  encodeTransferWithSignature,
  signedTransferTypedData,
} from '../../../../lib/core/contracts/signed-transfers.ts'
import { systemClient } from '../../../../lib/db/client.ts'
import { sendForgotten } from '../../../support/by-hand.ts'
import { callerOf } from '../../../support/call.ts'
import { makeRandomAddress } from '../../../support/claims.ts'
import { takeBackup } from '../../../support/organization-backup.ts'
import { makeRedeemableClaims } from '../../../support/redeemable-claims.ts'
import { sendVoucher } from '../../../support/vouchers.ts'
import { eventually } from '../stage.ts'
import { makeGallery, type Story } from '../story.ts'

/**
 * The books are put back to before a claim was redeemed, whose recipient sends the voucher then: it was signed here,
 * and the books don't know it.
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

/**
 * The books lack that a holder sent a token to a mailbox, and then that it was handed over: both by an earlier
 * operator, whose nonces nobody compares.
 */
export const lostMailbox: Story = async (stage) => {
  const gallery = await makeGallery()
  const { organization, contract, itemIds } = gallery
  const { db } = organization.ctx
  const [earlier, holder] = [privateKeyToAccount(generatePrivateKey()), privateKeyToAccount(generatePrivateKey())]
  const { address: operator } = earlier
  const lost = { ...stage.chain, operator: earlier }
  await stage.chain.node.setBalance({ address: operator, value: parseEther('1') })
  await systemClient().operatorLane.create({ data: { networkId: foundry.id, operator, nextNonce: 2 } })
  const recipient = makeRandomAddress()
  await callerOf(organization.key).post('/v1/mint-requests', { item_id: itemIds[0], to_address: holder.address })
  await eventually('The holder', async () => (await db.itemOwner.count({ where: { address: holder.address } })) === 1)
  const deadline = BigInt(Math.floor(Date.now() / 1000) + 3600)
  const order = { tokenId: 1n, quantity: 1n, from: holder.address, to: operator, nonce: 1n, deadline }
  const signature = await holder.signTypedData(signedTransferTypedData('ERC721', foundry.id, contract, order) as never)
  return {
    organization,
    act: async () => {
      await sendForgotten(lost, {
        to: contract,
        data: encodeTransferWithSignature('ERC721', order, signature),
      })
      await eventually(
        'The escrow',
        async () => (await db.escrow.count({ where: { state: 'HELD', email: null } })) === 1,
      )
      await sendForgotten(lost, { to: contract, data: encodeTransfer721(operator, recipient, 1n) })
    },
    check: async () => {
      await eventually('The handover', async () => (await db.escrow.count({ where: { state: 'TAKEN' } })) === 1)
      expect((await stage.movesOf(contract)).map((move) => move.to)).toEqual([holder.address, operator, recipient])
      expect(await db.signedTransfer.count()).toBe(1)
      await eventually(
        'The end of the alarms',
        async () => (await db.alarm.count({ where: { resolvedAt: null } })) === 0,
      )
    },
  }
}
