import { createWalletClient, encodeFunctionData, http, parseEther } from 'viem'
import { generatePrivateKey, privateKeyToAccount, type PrivateKeyAccount } from 'viem/accounts'
import { foundry } from 'viem/chains'
import { beforeAll, expect, test } from 'vitest'
import { vitrine721Abi } from '../../lib/core/contracts/abi.ts'
import { now } from '../../lib/core/clock.ts'
import { newId } from '../../lib/core/id.ts'
import { systemClient } from '../../lib/db/client.ts'
import { listPerksToRecheck } from '../../lib/onchain/perks/list-perks-to-recheck.ts'
import { systemContext } from '../../lib/platform/auth/authenticate.ts'
import { viemChain } from '../../lib/ports/chain/viem-chain.ts'
import { replacePorts } from '../../lib/ports/ports.ts'
import { callerOf } from '../support/call.ts'
import { startChain, type TestChain } from '../support/chain.ts'
import { catchUpWith } from '../support/indexing.ts'
import { makeOrganization, type TestOrganization } from '../support/organization.ts'
import { receiptOf } from '../support/receipt-of.ts'
import { makeOnChainCollection } from '../support/sending.ts'

let testChain: TestChain
let organization: TestOrganization
const anyone = callerOf()

beforeAll(async () => {
  testChain = await startChain()
  organization = await makeOrganization()
})

/** Blocks after which anvil calls one final, and after which the index looks for that. */
const TO_FINALITY = 64 + 17

const newHolder = () => privateKeyToAccount(generatePrivateKey())

async function prove(account: PrivateKeyAccount): Promise<string> {
  const wallet = `/public/v1/wallets/${account.address}`
  const { message, challenge } = (await anyone.post(`${wallet}/challenge`, {})).body
  const signature = await account.signMessage({ message })
  return (await anyone.post(`${wallet}/proof`, { challenge, signature })).body.proof
}

test('a code is given once the token’s arrival is final on the chain, to its holder and no later one', async () => {
  const [seller, buyer] = [newHolder(), newHolder()]
  const made = await makeOnChainCollection(organization, testChain, { items: 1 })
  const chain = viemChain({ ...testChain.network, finality: 'tag' }, [testChain.rpcUrl])
  replacePorts({ chains: new Map([[31337, chain]]) })
  const [itemId] = made.itemIds
  const perk = (await made.api.post('/v1/perks', { item_id: itemId, title: 'A seat', codes: ['MOON-1', 'MOON-2'] }))
    .body
  const asked = async (account: PrivateKeyAccount) => {
    const path = `/public/v1/wallets/${account.address}/items/${itemId}/perks`
    const proof = await prove(account)
    const [opened, taken] = [
      await anyone.post(path, { proof }),
      await anyone.post(`${path}/${perk.id}/codes`, { proof }),
    ]
    const codes = (taken.body.codes as { code: string }[] | undefined)?.map(({ code }) => code)
    return [opened.body.state ?? opened.body.code, codes ?? taken.body.code]
  }
  const mine = async (blocks: number) => {
    await testChain.node.mine({ blocks })
    await catchUpWith(chain)
  }

  await made.api.post('/v1/mint-requests', { item_ids: made.itemIds, to_address: seller.address })
  await made.sender.run()
  await mine(1)
  expect(await asked(seller)).toEqual(['CONFIRMING', 'conflict'])
  await mine(TO_FINALITY)
  expect(await asked(seller)).toEqual(['HELD', ['MOON-1']])

  await testChain.node.setBalance({ address: seller.address, value: parseEther('1') })
  const wallet = createWalletClient({ account: seller, chain: foundry, transport: http(testChain.rpcUrl) })
  const data = encodeFunctionData({
    abi: vitrine721Abi,
    functionName: 'transferFrom',
    args: [seller.address, buyer.address, 1n],
  })
  const hash = await wallet.sendTransaction({ to: made.contract, data, gas: 300_000n })
  expect((await receiptOf(testChain.client, hash)).status).toBe('success')
  await catchUpWith(chain)
  expect(await asked(seller)).toEqual(['not_found', 'not_found'])
  expect(await asked(buyer)).toEqual(['CONFIRMING', 'conflict'])
  await mine(TO_FINALITY)
  expect(await asked(buyer)).toEqual(['HELD', []])
})

test('on a chain that is never final, blocks count once they are as deep as its confirmations', async () => {
  const holder = newHolder()
  const made = await makeOnChainCollection(organization, testChain, { items: 1 })
  const chain = viemChain({ ...testChain.network, finality: 'never', confirmations: 3 }, [testChain.rpcUrl])
  replacePorts({ chains: new Map([[31337, chain]]) })
  await made.api.post('/v1/perks', { item_id: made.itemIds[0], title: 'A letter', text: 'Dear holder' })
  await made.api.post('/v1/mint-requests', { item_ids: made.itemIds, to_address: holder.address })
  await made.sender.run()
  await catchUpWith(chain)
  const proof = await prove(holder)
  const path = `/public/v1/wallets/${holder.address}/items/${made.itemIds[0]}/perks`
  expect((await anyone.post(path, { proof })).body).toEqual({ state: 'CONFIRMING', results: [] })
  await testChain.node.mine({ blocks: 2 })
  await catchUpWith(chain)
  expect((await anyone.post(path, { proof })).body).toMatchObject({ state: 'HELD', results: [{ text: 'Dear holder' }] })
})

test('while the books are behind the chain no code is given, and what was given is shown', async () => {
  const holder = newHolder()
  const made = await makeOnChainCollection(organization, testChain, { items: 1 })
  const chain = viemChain({ ...testChain.network, finality: 'never' }, [testChain.rpcUrl])
  replacePorts({ chains: new Map([[31337, chain]]) })
  const give = async (title: string) =>
    (await made.api.post('/v1/perks', { item_id: made.itemIds[0], title, codes: [title] })).body.id as string
  const [given, open] = [await give('MOON-1'), await give('MOON-2')]
  await made.api.post('/v1/mint-requests', { item_ids: made.itemIds, to_address: holder.address })
  await made.sender.run()
  await catchUpWith(chain)
  const proof = await prove(holder)
  const take = (perkId: string) =>
    anyone.post(`/public/v1/wallets/${holder.address}/items/${made.itemIds[0]}/perks/${perkId}/codes`, { proof })
  expect((await take(given)).body.codes).toMatchObject([{ code: 'MOON-1' }])
  await systemClient().recovery.create({
    data: { id: newId(), networkId: 31337, operator: testChain.operator.address, untilBlock: 1n, startedAt: now() },
  })
  expect((await take(given)).body.codes).toMatchObject([{ code: 'MOON-1' }])
  expect(await take(open)).toMatchObject({ status: 409, body: { code: 'recovering' } })
  expect((await listPerksToRecheck(systemContext('test'))).map(({ id }) => id)).toContain(open)
  expect((await listPerksToRecheck(systemContext('test'))).map(({ id }) => id)).not.toContain(given)
  await systemClient().recovery.updateMany({ data: { endedAt: now() } })
  expect((await take(open)).body.codes).toMatchObject([{ code: 'MOON-2' }])
})
