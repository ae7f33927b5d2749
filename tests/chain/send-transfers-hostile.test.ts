import { encodeFunctionData, erc721Abi, parseEther, parseGwei, type Address, type Hex } from 'viem'
import type { PrivateKeyAccount } from 'viem/accounts'
import { beforeEach, expect, test } from 'vitest'
import { encodeTransfer721 } from '../../lib/core/contracts/calls.ts'
import { encodeTransferWithSignature, type SignedTransfer } from '../../lib/core/contracts/signed-transfers.ts'
import { moveClock } from '../../lib/core/clock.ts'
import { deployChangingAccount, encodeChange } from '../support/changing-account.ts'
import { makeRandomAddress } from '../support/claims.ts'
import { catchUp, ownerOf, sendAs, setUpCustody, testChain, transactionsOf } from '../support/custody.ts'
import { deployPlainErc721, plainErc721Abi } from '../support/foreign-contract.ts'
import {
  accepted,
  anyone,
  getTransfer,
  makeHeld,
  newHolder,
  postTransfer,
  relayElsewhere,
  secondsAhead,
  signedBody,
} from '../support/held-tokens.ts'
import { receiptOf } from '../support/receipt-of.ts'

setUpCustody()

beforeEach(async () => {
  const { timestamp } = await testChain.client.getBlock()
  moveClock(Math.max(0, Number(timestamp) * 1000 - Date.now()))
})

const untouched = { state: 'FAILED', tx_hash: null }

/** An account with coins. */
async function newPayer(): Promise<PrivateKeyAccount> {
  const account = newHolder()
  await testChain.node.setBalance({ address: account.address, value: parseEther('1') })
  return account
}

/** Mines what was just broadcast in a block in which `first` comes before it. */
async function mineAfter(held: { sender: { mined: () => Promise<unknown> } }, first: () => Promise<unknown>) {
  await first()
  await testChain.node.mine({ blocks: 1 })
  await testChain.node.setAutomine(true)
  await held.sender.mined()
}

/** A wallet that is a contract and has a token, with a transfer that it says to have signed. */
async function makeHeldByContract() {
  const wallet = await deployChangingAccount(testChain)
  const held = await makeHeld({ to: wallet })
  const order = async () => {
    const { body, to } = await signedBody(held, { from: wallet })
    return { body: { ...body, signature: '0x01' }, to }
  }
  return { wallet, held, order }
}

test('a wallet that is a contract sends by what it says of the signature, when asked and when it is sent', async () => {
  const { wallet, held, order } = await makeHeldByContract()
  await relayElsewhere(wallet, encodeChange({ refuses: true }))
  expect((await postTransfer((await order()).body)).body).toMatchObject({ code: 'signature_invalid' })
  await relayElsewhere(wallet, encodeChange({}))
  const changed = await accepted((await order()).body)
  await relayElsewhere(wallet, encodeChange({ refuses: true }))
  await held.sender.mined()
  await held.sender.submitAll()
  expect(await getTransfer(changed.id)).toMatchObject({ ...untouched, failure: { code: 'signature_refused' } })
  expect(await ownerOf(held.contract)).toBe(wallet)

  // Nothing was sent for it, so the token's one send of the day is left.
  await relayElsewhere(wallet, encodeChange({}))
  const { body, to } = await order()
  const made = await accepted(body)
  await held.sender.run()
  expect((await getTransfer(made.id)).state).toBe('COMPLETED')
  expect(await ownerOf(held.contract)).toBe(to)
})

test('a wallet that is a contract changes its mind after the broadcast: reverted, and the gas counts', async () => {
  const { wallet, held, order } = await makeHeldByContract()
  const made = await accepted((await order()).body)
  await testChain.node.setAutomine(false)
  await held.sender.submitAll()
  await mineAfter(held, () => relayElsewhere(wallet, encodeChange({ refuses: true }), parseGwei('50')))
  await held.sender.watch()
  await catchUp()
  await held.sender.watch()
  expect(await getTransfer(made.id)).toMatchObject({
    state: 'FAILED',
    tx_hash: expect.stringMatching(/^0x/),
    failure: { code: 'signature_refused' },
  })
  expect(await ownerOf(held.contract)).toBe(wallet)
  await relayElsewhere(wallet, encodeChange({}))
  expect((await postTransfer((await order()).body)).body).toMatchObject({
    code: 'holder_pays',
    reason: 'token_sent_today',
  })
})

test('a receiver that refuses is refused when asked; one that refuses later costs nothing', async () => {
  const held = await makeHeld()
  const receiver = await deployChangingAccount(testChain)
  const toReceiver = async () => (await signedBody(held, { to: receiver })).body
  await relayElsewhere(receiver, encodeChange({ refuses: true }))
  const { body } = (await postTransfer(await toReceiver())) as { body: any }
  expect([body.code, body.errors?.[0]?.field]).toEqual(['address_cannot_receive', 'to_address'])
  await relayElsewhere(receiver, encodeChange({}))
  const made = await accepted(await toReceiver())
  await relayElsewhere(receiver, encodeChange({ refuses: true }))
  await held.sender.mined()
  await held.sender.submitAll()
  expect(await getTransfer(made.id)).toMatchObject({ ...untouched, failure: { code: 'receiver_refused' } })
  expect(await ownerOf(held.contract)).toBe(held.holder.address)
})

test('gas is paid up to a bound: a receiver that burns more is the holder’s to pay, also when it begins to later', async () => {
  const held = await makeHeld()
  const receiver = await deployChangingAccount(testChain)
  const toReceiver = async () => (await signedBody(held, { to: receiver })).body
  await relayElsewhere(receiver, encodeChange({ burns: 400_000n }))
  expect((await postTransfer(await toReceiver())).body).toMatchObject({ code: 'holder_pays', reason: 'too_much_gas' })
  await relayElsewhere(receiver, encodeChange({ burns: 2n ** 255n }))
  expect((await postTransfer(await toReceiver())).status).toBe(422)
  await relayElsewhere(receiver, encodeChange({ burns: 100_000n }))
  const made = await accepted(await toReceiver())
  await relayElsewhere(receiver, encodeChange({ burns: 400_000n }))
  await held.sender.mined()
  await held.sender.submitAll()
  expect(await getTransfer(made.id)).toMatchObject({ ...untouched, failure: { code: 'too_much_gas' } })
})

test('a token that a market sells meanwhile: FAILED without gas before it is sent, reverted after', async () => {
  const held = await makeHeld({ items: 2 })
  const market = await newPayer()
  await testChain.node.setBalance({ address: held.holder.address, value: parseEther('1') })
  const approval = encodeFunctionData({
    abi: erc721Abi,
    functionName: 'setApprovalForAll',
    args: [market.address, true],
  })
  await sendAs(held.holder, held.contract, approval)
  const buyer = makeRandomAddress()
  const sell = (tokenId: bigint) => encodeTransfer721(held.holder.address, buyer, tokenId)

  const listed = await accepted((await signedBody(held)).body)
  await sendAs(market, held.contract, sell(1n))
  await held.sender.submitAll()
  expect((await getTransfer(listed.id)).state, 'the index is behind').toBe('PENDING')
  await catchUp()
  await held.sender.submitAll()
  expect(await getTransfer(listed.id)).toMatchObject({ ...untouched, failure: { code: 'not_owner' } })

  const overtaken = await accepted((await signedBody(held, { tokenId: 2n })).body)
  await testChain.node.setAutomine(false)
  await held.sender.submitAll()
  const sale = await signCall(market, held.contract, sell(2n), parseGwei('50'))
  await mineAfter(held, () => testChain.client.sendRawTransaction({ serializedTransaction: sale }))
  await held.sender.watch()
  await catchUp()
  await held.sender.watch()
  expect(await getTransfer(overtaken.id)).toMatchObject({ state: 'FAILED', failure: { code: 'not_owner' } })
  expect([await ownerOf(held.contract), await ownerOf(held.contract, 2n)]).toEqual([buyer, buyer])
})

test('a signature for another network moves nothing here, and one for this network moves nothing on a fork', async () => {
  const held = await makeHeld()
  const foreign = await signedBody(held, {}, held.holder, 999)
  expect((await postTransfer(foreign.body)).body.code).toBe('signature_invalid')
  const { data, body } = await signedBody(held)
  const relayed = () => testChain.client.call({ to: held.contract, data })
  await relayed()
  await setChainId(999)
  try {
    await expect(relayed()).rejects.toThrow()
  } finally {
    await setChainId(31337)
  }
  const made = await accepted(body)
  await held.sender.run()
  expect((await getTransfer(made.id)).state).toBe('COMPLETED')
  expect((await transactionsOf(held.collectionId)).filter(({ txType }) => txType === 'SIGNED_TRANSFER')).toHaveLength(1)
})

const setChainId = (id: number) => testChain.client.request({ method: 'anvil_setChainId', params: [id] } as never)

test('the relay sends a signed transfer to a collection deployed here, and no other call', async () => {
  const held = await makeHeld()
  const payer = await newPayer()
  const stranger = await deployPlainErc721(testChain, payer)
  await sendAs(
    payer,
    stranger,
    encodeFunctionData({ abi: plainErc721Abi, functionName: 'mint', args: [payer.address, 1n] }),
  )
  const { data, to } = await signedBody(held)
  const ask = (method: string, param: unknown) =>
    anyone.post('/public/v1/relay/31337', { jsonrpc: '2.0', id: 1, method, params: [param] })
  const refused = async (contract: Address, call: Hex) => {
    const sent = await ask('eth_sendRawTransaction', await signCall(payer, contract, call))
    const estimated = await ask('eth_estimateGas', { from: payer.address, to: contract, data: call })
    expect([sent.status, sent.body.code], call).toEqual([422, 'voucher_refused'])
    expect([estimated.status, estimated.body.code], call).toEqual([422, 'voucher_refused'])
  }
  await refused(stranger, data)
  await refused(payer.address, data)
  await refused(held.contract, encodeTransfer721(held.holder.address, to, 1n))
  const approval = { abi: erc721Abi, functionName: 'setApprovalForAll', args: [payer.address, true] } as const
  await refused(held.contract, encodeFunctionData(approval))
  await refused(held.contract, data.slice(0, 200) as Hex)
  await refused(
    held.contract,
    encodeFunctionData({ abi: erc721Abi, functionName: 'safeTransferFrom', args: [held.holder.address, to, 1n] }),
  )

  const gas = await ask('eth_estimateGas', { from: payer.address, to: held.contract, data })
  expect(BigInt(gas.body.result)).toBeGreaterThan(21_000n)
  const answer = await ask('eth_sendRawTransaction', await signCall(payer, held.contract, data))
  expect(answer.body.error).toBeUndefined()
  expect((await receiptOf(testChain.client, answer.body.result)).status).toBe('success')
  expect(await ownerOf(held.contract)).toBe(to)
  // It cost the organization nothing, and the contract takes it once.
  const order: SignedTransfer = {
    tokenId: 1n,
    quantity: 1n,
    from: to,
    to: held.holder.address,
    nonce: 1n,
    deadline: secondsAhead(600),
  }
  const forged = encodeTransferWithSignature('ERC721', order, `0x${'11'.repeat(65)}`)
  expect((await ask('eth_estimateGas', { to: held.contract, data: forged })).body.error).toBeDefined()
  expect((await ask('eth_estimateGas', { to: held.contract, data })).body.error).toBeDefined()
  expect((await transactionsOf(held.collectionId)).map(({ txType }) => txType)).toEqual(['ADMIN_MINT'])
})

/** The bytes of a call, signed and not sent. */
async function signCall(account: PrivateKeyAccount, to: Address, data: Hex, maxPriorityFeePerGas = 1n): Promise<Hex> {
  return account.signTransaction({
    type: 'eip1559',
    chainId: 31337,
    nonce: await testChain.client.getTransactionCount({ address: account.address }),
    gas: 300_000n,
    maxFeePerGas: maxPriorityFeePerGas + parseGwei('10'),
    maxPriorityFeePerGas,
    to,
    data,
  })
}
