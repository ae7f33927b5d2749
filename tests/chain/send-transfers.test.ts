import type { PrivateKeyAccount } from 'viem/accounts'
import { beforeEach, expect, test } from 'vitest'
import type { SignedTransfer } from '../../lib/core/contracts/signed-transfers.ts'
import { moveClock } from '../../lib/core/clock.ts'
import { suspend } from '../../lib/data/abuse/suspend.ts'
import { systemClient } from '../../lib/db/client.ts'
import { expireTransfers } from '../../lib/onchain/transfers/expire-transfers.ts'
import { systemContext } from '../../lib/platform/auth/authenticate.ts'
import { checkOperators } from '../../lib/worker/check-operators.ts'
import type { Chain } from '../../lib/ports/chain/chain.ts'
import { ports, replacePorts } from '../../lib/ports/ports.ts'
import { call } from '../support/call.ts'
import { makeRandomAddress } from '../support/claims.ts'
import {
  catchUp,
  organization,
  ownerOf,
  reorg,
  setUpCustody,
  testChain,
  transactionsOf,
  worker,
} from '../support/custody.ts'
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
import { makeOrganization } from '../support/organization.ts'
import { unitsOf } from '../support/sending.ts'

setUpCustody()

/** A test that moves the clock moves the chain, which doesn't go back. */
beforeEach(async () => {
  const { timestamp } = await testChain.client.getBlock()
  moveClock(Math.max(0, Number(timestamp) * 1000 - Date.now()))
})

const termsQuery = ({ collectionId, holder }: Awaited<ReturnType<typeof makeHeld>>, tokenId: string) =>
  new URLSearchParams({ collection_id: collectionId, token_id: tokenId, from_address: holder.address })

test('a signed transfer is sent once, and the same request gives the same transfer', async () => {
  const held = await makeHeld()
  const { body, to } = await signedBody(held)
  const made = await accepted(body)
  expect(made).toMatchObject({
    state: 'PENDING',
    from_address: held.holder.address,
    to_address: to,
    token_id: '1',
    failure: null,
  })
  expect(JSON.stringify(made)).not.toContain(body.signature)
  expect(await accepted(body)).toEqual(made)
  const other = await signedBody(held, { nonce: BigInt(body.nonce) })
  expect((await postTransfer(other.body)).body.code).toBe('transfer_exists')
  await held.sender.submitAll()
  expect((await getTransfer(made.id)).state).toBe('SUBMITTED')
  await held.sender.run()
  await catchUp()
  const sent = await getTransfer(made.id)
  expect(sent).toMatchObject({ state: 'COMPLETED', failure: null })
  expect(await ownerOf(held.contract)).toBe(to)
  expect((await transactionsOf(held.collectionId)).at(-1)).toMatchObject({
    txType: 'SIGNED_TRANSFER',
    state: 'COMPLETED',
  })
  expect(await accepted(body)).toEqual(sent)
  const history = (await anyone.get(`/public/v1/items/${held.itemIds[0]}/history`)).body.results
  expect(history[0]).toMatchObject({
    type: 'TRANSFER',
    data: { to: { address: to }, transaction: { tx_hash: sent.tx_hash } },
  })
})

test('the same request twice at once, of which one is done before the other asks the network: both give one transfer', async () => {
  const held = await makeHeld()
  const { body } = await signedBody(held)
  const { chains } = ports()
  const [reached, released] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()]
  const simulate: Chain['simulate'] = async (asked) => {
    reached.resolve()
    await released.promise
    return testChain.chain.simulate(asked)
  }
  replacePorts({ chains: new Map([[31337, { ...testChain.chain, simulate }]]) })
  const slower = accepted(body)
  await reached.promise
  replacePorts({ chains })
  const made = await accepted(body)
  await held.sender.run()
  released.resolve()
  expect((await slower).id).toBe(made.id)
})

test.each(['ERC721', 'ERC1155'] as const)(
  'the typed data of %s is signed as it is given, and sent',
  async (variant) => {
    const held = await makeHeld({ variant })
    const to = makeRandomAddress()
    const quantity = variant === 'ERC1155' ? 3 : 1
    const query = termsQuery(held, '1')
    expect((await anyone.get(`/public/v1/transfer-terms?${query}`)).body.typed_data).toBeNull()
    query.set('to_address', to)
    query.set('quantity', String(quantity))
    const { typed_data: typedData } = (await anyone.get(`/public/v1/transfer-terms?${query}`)).body
    const signature = await held.holder.signTypedData(typedData)
    const { nonce, deadline } = typedData.message
    const made = await accepted({
      collection_id: held.collectionId,
      token_id: '1',
      ...(variant === 'ERC1155' && { quantity }),
      from_address: held.holder.address,
      to_address: to,
      nonce,
      deadline,
      signature,
    })
    await held.sender.run()
    expect(await getTransfer(made.id)).toMatchObject({ state: 'COMPLETED', to_address: to, quantity })
  },
)

test('units of an ERC-1155 token are sent by contract address', async () => {
  const held = await makeHeld({ variant: 'ERC1155' })
  const { body, to } = await signedBody(held, { quantity: 3n })
  const { collection_id: _, ...rest } = body
  const made = await accepted({ ...rest, network_id: 31337, contract_address: held.contract })
  expect(made.quantity).toBe(3)
  await held.sender.run()
  expect((await getTransfer(made.id)).state).toBe('COMPLETED')
  expect(await unitsOf(testChain, held, { owner: to, tokenId: 1n })).toBe(3n)
})

test('two sends of one token at once: one is accepted, the other one is the holder’s to pay', async () => {
  const held = await makeHeld()
  const both = [await signedBody(held), await signedBody(held)]
  const answers = await Promise.all(both.map(({ body }) => postTransfer(body)))
  expect(answers.map(({ status }) => status).toSorted()).toEqual([201, 409])
  expect(answers.find(({ status }) => status === 409)!.body).toMatchObject({
    code: 'holder_pays',
    reason: 'token_sent_today',
  })
  const underWay = async () => (await anyone.get(`/public/v1/transfer-terms?${termsQuery(held, '1')}`)).body.transfer_id
  expect(await underWay()).toBe(answers.find(({ status }) => status === 201)!.body.id)
  await held.sender.run()
  expect(await underWay()).toBeNull()
})

test('a holder sends three tokens a day, and more on the next day', async () => {
  const held = await makeHeld({ items: 4 })
  for (const tokenId of [1n, 2n, 3n]) await accepted((await signedBody(held, { tokenId })).body)
  const fourth = () => signedBody(held, { tokenId: 4n })
  expect((await postTransfer((await fourth()).body)).body).toMatchObject({
    code: 'holder_pays',
    reason: 'holder_limit',
  })
  expect((await anyone.get(`/public/v1/transfer-terms?${termsQuery(held, '4')}`)).body).toMatchObject({
    signed: true,
    gas_payer: 'HOLDER',
    reason_code: 'holder_limit',
  })
  await held.sender.run()
  moveClock(86_400_000 + 1000)
  await testChain.node.increaseTime({ seconds: 86_401 })
  await testChain.node.mine({ blocks: 1 })
  await accepted((await signedBody(held, { tokenId: 4n })).body)
  await held.sender.run()
})

test('the organization sets what it pays a day, apart from the gas of claims', async () => {
  const mine = await makeOrganization()
  const held = await makeHeld({ items: 3, of: mine })
  const budget = async () =>
    (await held.api.get('/v1/transfer-budgets')).body.results.find(
      ({ network_id }: { network_id: number }) => network_id === 31337,
    )
  expect(await budget()).toMatchObject({ is_usual: true, spent_wei: '0', transfers: 0 })
  const set = (daily_wei: string | null) =>
    call('PUT', '/v1/transfer-budgets/31337', { key: mine.key, body: { daily_wei } })
  expect((await set('0')).body).toMatchObject({ daily_wei: '0', is_usual: false })
  expect((await postTransfer((await signedBody(held)).body)).body).toMatchObject({
    code: 'holder_pays',
    reason: 'not_offered',
  })
  await set('1')
  expect((await postTransfer((await signedBody(held)).body)).body).toMatchObject({
    code: 'holder_pays',
    reason: 'budget_spent',
  })
  await set(null)
  await accepted((await signedBody(held)).body)
  expect(BigInt((await budget()).spent_wei)).toBeGreaterThan(0n)
  await held.sender.run()
})

test('what the network would refuse is refused with its field, and costs nothing', async () => {
  const held = await makeHeld()
  const refusalOf = async (order: Partial<SignedTransfer>, signer?: PrivateKeyAccount) => {
    const { body } = (await postTransfer((await signedBody(held, order, signer)).body)) as { body: any }
    return [body.code, body.errors?.[0]?.field]
  }
  const stranger = newHolder()
  expect(await refusalOf({}, stranger)).toEqual(['signature_invalid', 'signature'])
  expect(await refusalOf({ from: stranger.address }, stranger)).toEqual(['transfer_refused', 'from_address'])
  expect(await refusalOf({ deadline: secondsAhead(-5) })).toEqual(['transfer_refused', 'deadline'])
  expect(await refusalOf({ deadline: secondsAhead(200_000) })).toEqual(['transfer_refused', 'deadline'])
  expect(await refusalOf({ to: held.contract })).toEqual(['address_cannot_receive', 'to_address'])
  expect(await refusalOf({ to: held.holder.address })).toEqual(['address_cannot_receive', 'to_address'])
  expect(await refusalOf({ tokenId: 77n })).toEqual(['not_found', 'token_id'])
  expect((await transactionsOf(held.collectionId)).map(({ txType }) => txType)).toEqual(['ADMIN_MINT'])
})

test('soulbound tokens and contracts of older versions take no signed transfers', async () => {
  const bound = await makeHeld({ platform: { soulbound: true } })
  expect((await postTransfer((await signedBody(bound)).body)).body.code).toBe('transfer_unsupported')
  const held = await makeHeld()
  await systemClient().collection.update({ where: { id: held.collectionId }, data: { contractVersion: '1-22f2377d' } })
  expect((await postTransfer((await signedBody(held)).body)).body.code).toBe('transfer_unsupported')
})

test('a token that moved on before it was sent: FAILED without gas, and it doesn’t count', async () => {
  const held = await makeHeld()
  const made = await accepted((await signedBody(held)).body)
  const away = await signedBody(held)
  await relayElsewhere(held.contract, away.data)
  await held.sender.mined()
  await catchUp()
  await held.sender.submitAll()
  expect(await getTransfer(made.id)).toMatchObject({ state: 'FAILED', tx_hash: null, failure: { code: 'not_owner' } })
  expect((await anyone.get(`/public/v1/transfer-terms?${termsQuery(held, '1')}`)).body.gas_payer).toBe('ORGANIZATION')
})

test('an operator without funds: the transfer waits until its deadline and fails without gas', async () => {
  const held = await makeHeld()
  const { address } = testChain.operator
  const balance = await testChain.client.getBalance({ address })
  const made = await accepted((await signedBody(held, { deadline: secondsAhead(120) })).body)
  await testChain.node.setBalance({ address, value: 1n })
  expect(await held.sender.submit()).toBe('short')
  expect(await expireTransfers(worker(), testChain.chain)).toBe(0)
  moveClock(180_000)
  await testChain.node.increaseTime({ seconds: 180 })
  await testChain.node.mine({ blocks: 2 })
  await catchUp()
  expect(await held.sender.submit()).toBe('idle')
  expect(await expireTransfers(worker(), testChain.chain)).toBe(1)
  expect(await getTransfer(made.id)).toMatchObject({ state: 'FAILED', tx_hash: null, failure: { code: 'expired' } })
  await testChain.node.setBalance({ address, value: balance })
})

test('an operator without funds: the transfer waits with an alarm, and goes on once there are coins', async () => {
  const held = await makeHeld()
  const { address } = testChain.operator
  const balance = await testChain.client.getBalance({ address })
  const openAlarms = async () => {
    await checkOperators(worker())
    return worker().db.alarm.count({ where: { kind: 'operator_low', resolvedAt: null } })
  }
  expect(await openAlarms()).toBe(0)
  const { body, to } = await signedBody(held)
  const made = await accepted(body)
  await testChain.node.setBalance({ address, value: 1n })
  expect(await held.sender.submit()).toBe('short')
  expect(await openAlarms()).toBe(1)
  expect(await getTransfer(made.id)).toMatchObject({ state: 'PENDING', tx_hash: null, failure: null })
  await testChain.node.setBalance({ address, value: balance })
  await held.sender.run()
  expect((await getTransfer(made.id)).state).toBe('COMPLETED')
  expect(await openAlarms()).toBe(0)
  expect(await ownerOf(held.contract)).toBe(to)
})

test('a reorg takes a transfer back, and its stored bytes make it again', async () => {
  const held = await makeHeld()
  await testChain.node.mine({ blocks: 3 })
  const { body, to } = await signedBody(held, { deadline: secondsAhead(86_000) })
  const made = await accepted(body)
  await held.sender.run()
  await catchUp()
  const before = await getTransfer(made.id)
  expect(before, JSON.stringify(before)).toMatchObject({ state: 'COMPLETED' })
  await testChain.node.setAutomine(false)
  await reorg(1)
  await held.sender.watch()
  await catchUp()
  expect((await getTransfer(made.id)).state).toBe('SUBMITTED')
  await testChain.node.mine({ blocks: 1 })
  await testChain.node.setAutomine(true)
  await held.sender.watch()
  await catchUp()
  expect(await getTransfer(made.id)).toMatchObject({ state: 'COMPLETED', tx_hash: before.tx_hash })
  expect(await ownerOf(held.contract)).toBe(to)
})

test('a transfer isn’t cancelled by the organization', async () => {
  const held = await makeHeld()
  await accepted((await signedBody(held)).body)
  const [sending] = (await transactionsOf(held.collectionId)).slice(-1)
  expect((await held.api.post(`/v1/transactions/${sending!.id}/cancel`, {})).body.code).toBe('transaction_in_use')
  await held.sender.run()
})

test('a token that isn’t there, a suspended collection and a network that isn’t connected are said as they are', async () => {
  const held = await makeHeld()
  const { body } = await signedBody(held)
  const terms = (token: string) =>
    anyone.get(
      `/public/v1/transfer-terms?collection_id=${held.collectionId}&token_id=${token}&from_address=${held.holder.address}`,
    )
  expect((await terms('99')).status).toBe(404)
  const { chains } = ports()
  replacePorts({ chains: new Map() })
  expect([(await terms('1')).status, (await postTransfer(body)).status]).toEqual([503, 503])
  replacePorts({ chains })
  await suspend(
    systemContext('test'),
    { organizationId: organization.id, collectionId: held.collectionId },
    'Reported.',
  )
  const refused = await postTransfer(body)
  expect([refused.status, refused.body.code]).toEqual([403, 'suspended'])
  expect((await terms('1')).body.gas_payer).toBe('HOLDER')
})
