import { createWalletClient, http, numberToHex, parseEther, parseGwei, type Hex } from 'viem'
import { foundry } from 'viem/chains'
import { beforeEach, expect, test } from 'vitest'
import { vitrine721Abi } from '../../lib/core/contracts/abi.ts'
import { moveClock } from '../../lib/core/clock.ts'
import { expireTransfers } from '../../lib/onchain/transfers/expire-transfers.ts'
import type { ChainReads } from '../../lib/ports/chain/chain.ts'
import { reorganized, withReads } from '../support/chain.ts'
import { catchUp, ownerOf, setUpCustody, testChain, transactionsOf, worker } from '../support/custody.ts'
import { accepted, getTransfer, makeHeld, relayElsewhere, secondsAhead, signedBody } from '../support/held-tokens.ts'
import { makeSender } from '../support/sending.ts'

setUpCustody()

/** A test that moves the clock moves the chain, which doesn't go back. */
beforeEach(async () => {
  const { timestamp } = await testChain.client.getBlock()
  moveClock(Math.max(0, Number(timestamp) * 1000 - Date.now()))
})

/**
 * Sends our transactions, and has another relayer's, who pays more, mined before them in the same block. Gives its
 * hash.
 */
async function overtake({ sender, contract }: Awaited<ReturnType<typeof makeHeld>>, data: Hex): Promise<Hex> {
  await testChain.node.setAutomine(false)
  await sender.submitAll()
  const hash = await relayElsewhere(contract, data, parseGwei('50'))
  await testChain.node.mine({ blocks: 1 })
  await testChain.node.setAutomine(true)
  return hash
}

/** What a node that is behind says of a nonce. */
const UNUSED: Partial<ChainReads> = { read: () => Promise.resolve(numberToHex(0, { size: 32 })) }

/** The holder cancels a nonce, paying more than our transactions do. */
async function cancelNonce({ holder, contract }: Awaited<ReturnType<typeof makeHeld>>, nonce: string): Promise<void> {
  await testChain.node.setBalance({ address: holder.address, value: parseEther('1') })
  const wallet = createWalletClient({ account: holder, chain: foundry, transport: http(testChain.rpcUrl) })
  await wallet.writeContract({
    address: contract,
    abi: vitrine721Abi,
    functionName: 'cancelTransferNonce',
    args: [BigInt(nonce)],
    gas: 100_000n,
    maxPriorityFeePerGas: parseGwei('50'),
    maxFeePerGas: parseGwei('60'),
  })
}

test('a transfer that another relayer sent before us is delivered, and nothing of ours is sent', async () => {
  const held = await makeHeld()
  const { body, data, to } = await signedBody(held)
  const made = await accepted(body)
  const hash = await relayElsewhere(held.contract, data)
  await held.sender.mined()
  await held.sender.submitAll()
  expect((await getTransfer(made.id)).state, 'the index is behind').toBe('PENDING')
  await catchUp()
  await held.sender.submitAll()
  expect(await getTransfer(made.id)).toMatchObject({ state: 'COMPLETED', tx_hash: hash, failure: null })
  expect(await ownerOf(held.contract)).toBe(to)
  expect((await transactionsOf(held.collectionId)).at(-1)).toMatchObject({
    txType: 'SIGNED_TRANSFER',
    state: 'CANCELLED',
    operator: null,
  })
})

test('a transfer that another relayer overtakes in the same block is delivered, and ours reverts', async () => {
  const held = await makeHeld()
  const { body, data } = await signedBody(held)
  const made = await accepted(body)
  const hash = await overtake(held, data)
  await held.sender.watch()
  await catchUp()
  await held.sender.watch()
  expect(await getTransfer(made.id)).toMatchObject({ state: 'COMPLETED', tx_hash: hash })
  expect((await transactionsOf(held.collectionId)).at(-1)).toMatchObject({ state: 'COMPLETED' })
})

test('a nonce that its holder cancels meanwhile fails the transfer, also while the index is behind the last final block', async () => {
  const held = await makeHeld()
  const { body } = await signedBody(held)
  const made = await accepted(body)
  await testChain.node.setAutomine(false)
  await held.sender.submitAll()
  await cancelNonce(held, body.nonce)
  await testChain.node.mine({ blocks: 1 })
  await catchUp()
  await testChain.node.mine({ blocks: 1 })
  await testChain.node.setAutomine(true)
  await held.sender.watch()
  expect(await getTransfer(made.id)).toMatchObject({ state: 'FAILED', failure: { code: 'nonce_used' } })
  expect(await ownerOf(held.contract)).toBe(held.holder.address)
  await catchUp()
})

test('a nonce that was cancelled decides nothing while the index is on a branch that a reorg left', async () => {
  const held = await makeHeld()
  const { body } = await signedBody(held)
  const made = await accepted(body)
  await cancelNonce(held, body.nonce)
  await held.sender.mined()
  await catchUp()
  await makeSender({ ...testChain, chain: reorganized(testChain.chain) }).submitAll()
  expect((await getTransfer(made.id)).state).toBe('PENDING')
  await held.sender.submitAll()
  expect(await getTransfer(made.id)).toMatchObject({ state: 'FAILED', failure: { code: 'nonce_used' } })
})

test('a transfer that another relayer delivered stays undecided while nodes that are behind say that nobody did', async () => {
  const held = await makeHeld()
  const { body, data } = await signedBody(held)
  const made = await accepted(body)
  const hash = await overtake(held, data)
  // One node is behind, then all are; the contract itself says in simulation that the nonce is used.
  const { chain } = testChain
  for (const behind of [
    { ...withReads(chain, UNUSED), atSeveralNodes: chain.atSeveralNodes },
    withReads(chain, UNUSED),
  ]) {
    await makeSender({ ...testChain, chain: behind }).watch()
    expect((await getTransfer(made.id)).state).toBe('SUBMITTED')
  }
  await catchUp()
  await held.sender.watch()
  expect(await getTransfer(made.id)).toMatchObject({ state: 'COMPLETED', tx_hash: hash })
})

test('a transfer expires while the index is behind the last final block, not while it is on a branch that a reorg left', async () => {
  const held = await makeHeld()
  const made = await accepted((await signedBody(held, { deadline: secondsAhead(120) })).body)
  moveClock(180_000)
  await testChain.node.increaseTime({ seconds: 180 })
  await testChain.node.mine({ blocks: 2 })
  await catchUp()
  await testChain.node.mine({ blocks: 1 })
  expect(await expireTransfers(worker(), reorganized(testChain.chain))).toBe(0)
  expect((await getTransfer(made.id)).state).toBe('PENDING')
  expect(await expireTransfers(worker(), testChain.chain)).toBe(1)
  expect(await getTransfer(made.id)).toMatchObject({ state: 'FAILED', failure: { code: 'expired' } })
  await catchUp()
})

test('a transfer that another relayer delivered before its deadline is COMPLETED, also where one node is behind', async () => {
  const held = await makeHeld()
  const { body, data } = await signedBody(held, { deadline: secondsAhead(120) })
  const made = await accepted(body)
  const hash = await relayElsewhere(held.contract, data)
  await held.sender.mined()
  moveClock(180_000)
  await testChain.node.increaseTime({ seconds: 180 })
  await testChain.node.mine({ blocks: 2 })
  await catchUp()
  const { chain } = testChain
  expect(await expireTransfers(worker(), { ...withReads(chain, UNUSED), atSeveralNodes: chain.atSeveralNodes })).toBe(1)
  expect(await getTransfer(made.id)).toMatchObject({ state: 'COMPLETED', tx_hash: hash })
})
