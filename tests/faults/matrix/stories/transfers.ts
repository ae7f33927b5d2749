import { expect } from 'vitest'
import { createWalletClient, http, parseEther } from 'viem'
import { generatePrivateKey, privateKeyToAccount } from 'viem/accounts'
import { foundry } from 'viem/chains'
import { vitrine721Abi } from '../../../../lib/core/contracts/abi.ts'
import { signedTransferTypedData } from '../../../../lib/core/contracts/signed-transfers.ts'
import { callerOf } from '../../../support/call.ts'
import { makeRandomAddress } from '../../../support/claims.ts'
import { receiptOf } from '../../../support/receipt-of.ts'
import { eventually, type Stage } from '../stage.ts'
import { makeGallery, type Story } from '../story.ts'

const NONCE = 7n

/** A holder with a token, who signs that it goes to somebody else. */
async function signTransfer(stage: Stage) {
  const gallery = await makeGallery()
  const { organization, collectionId, contract, itemIds } = gallery
  const { db } = organization.ctx
  const holder = privateKeyToAccount(generatePrivateKey())
  const minted = await callerOf(organization.key).post('/v1/mint-requests', {
    item_id: itemIds[0],
    to_address: holder.address,
  })
  expect(minted.status, JSON.stringify(minted.body)).toBe(201)
  await eventually('The mint', async () => (await db.mintRequest.findFirst())?.state === 'COMPLETED')
  await eventually('The owner', async () => (await db.itemOwner.count()) === 1)
  const to = makeRandomAddress()
  const deadline = BigInt(Math.floor(Date.now() / 1000) + 3600)
  const order = { tokenId: 1n, quantity: 1n, from: holder.address, to, nonce: NONCE, deadline }
  const typedData = signedTransferTypedData('ERC721', foundry.id, contract, order)
  const body = {
    collection_id: collectionId,
    token_id: '1',
    from_address: holder.address,
    to_address: to,
    nonce: String(NONCE),
    deadline: Number(deadline),
    signature: await holder.signTypedData(typedData as never),
  }
  const request = async () => {
    const answer = await stage.post(undefined, '/public/v1/transfers', body)
    expect(answer.status, JSON.stringify(answer.body)).toBe(201)
  }
  const ended = async () => {
    await eventually('The end of the transfer', async () =>
      ['COMPLETED', 'FAILED'].includes((await db.signedTransfer.findFirstOrThrow()).state),
    )
    expect(await db.signedTransfer.count()).toBe(1)
    return db.signedTransfer.findFirstOrThrow()
  }
  return { ...gallery, db, holder, to, request, ended }
}

/** Sends a token by its holder's signature. */
export const signedTransfer: Story = async (stage) => {
  const { organization, contract, holder, to, request, ended, db } = await signTransfer(stage)
  return {
    organization,
    act: request,
    check: async () => {
      expect((await ended()).state).toBe('COMPLETED')
      expect((await stage.movesOf(contract)).map((move) => move.to)).toEqual([holder.address, to])
      await eventually('The owner', async () => (await db.itemOwner.findMany()).some(({ address }) => address === to))
      expect(await db.transaction.count({ where: { txType: 'SIGNED_TRANSFER' } })).toBe(1)
    },
  }
}

/** A transfer whose holder cancels it while there is no worker that would send it. */
export const refusedTransfer: Story = async (stage) => {
  const { organization, contract, holder, request, ended, db } = await signTransfer(stage)
  await stage.chain.node.setBalance({ address: holder.address, value: parseEther('1') })
  const wallet = createWalletClient({ account: holder, chain: foundry, transport: http(stage.chain.rpcUrl) })
  return {
    organization,
    act: async () => {
      await request()
      const hash = await wallet.writeContract({
        address: contract,
        abi: vitrine721Abi,
        functionName: 'cancelTransferNonce',
        args: [NONCE],
      })
      await receiptOf(stage.chain.client, hash)
    },
    check: async () => {
      expect(await ended()).toMatchObject({ state: 'FAILED', failureCode: 'nonce_used', txHash: null })
      expect((await stage.movesOf(contract)).map((move) => move.to)).toEqual([holder.address])
      const [transaction] = await db.transaction.findMany({ where: { txType: 'SIGNED_TRANSFER' } })
      expect([transaction!.state, transaction!.nonce]).toEqual(['FAILED', null])
    },
  }
}

/** A transfer that nobody sends before its deadline. */
export const expiredTransfer: Story = async (stage) => {
  const { organization, contract, holder, request, ended, db } = await signTransfer(stage)
  return {
    organization,
    act: async () => {
      await request()
      const { timestamp } = await stage.chain.client.getBlock()
      await db.signedTransfer.updateMany({ where: {}, data: { deadline: timestamp - 60n } })
    },
    check: async () => {
      expect(await ended()).toMatchObject({ state: 'FAILED', failureCode: 'expired', txHash: null })
      expect((await stage.movesOf(contract)).map((move) => move.to)).toEqual([holder.address])
    },
  }
}
