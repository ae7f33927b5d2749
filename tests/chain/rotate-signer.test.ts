import { afterAll, afterEach, beforeAll, expect, test } from 'vitest'
import { type Address, parseAbi, parseEther } from 'viem'
import { generatePrivateKey, privateKeyToAccount } from 'viem/accounts'
import { rotateSigner } from '../../lib/catalog/collections/rotate-signer.ts'
import { DAY, moveClock, now, resetClock } from '../../lib/core/clock.ts'
import { encodeSetRoles } from '../../lib/core/contracts/calls.ts'
import { systemClient } from '../../lib/db/client.ts'
import { systemContext } from '../../lib/platform/auth/authenticate.ts'
import { envKeyring } from '../../lib/ports/chain/env-keyring.ts'
import { replacePorts } from '../../lib/ports/ports.ts'
import { startChain, type TestChain } from '../support/chain.ts'
import { makeRandomAddress } from '../support/claims.ts'
import { makeOrganization, type TestOrganization } from '../support/organization.ts'
import { receiptOf } from '../support/receipt-of.ts'
import { makeRedeemableClaims, redeem } from '../support/redeemable-claims.ts'
import { makeOnChainCollection } from '../support/sending.ts'
import { sendVoucher } from '../support/vouchers.ts'

const [EARLIER, NEWER] = [new Uint8Array(32).fill(1), new Uint8Array(32).fill(2)]
const recipient = privateKeyToAccount(generatePrivateKey())
const worker = () => systemContext('test')

let testChain: TestChain
let organization: TestOrganization

beforeAll(async () => {
  testChain = await startChain()
  organization = await makeOrganization()
  await testChain.node.setBalance({ address: recipient.address, value: parseEther('100') })
})
afterEach(resetClock)
afterAll(() => useVoucherKeys(EARLIER))

const useVoucherKeys = (...keys: Uint8Array[]) =>
  replacePorts({ keys: envKeyring([testChain.operatorKey], () => keys) })
const signerBy = (key: Uint8Array, collectionId: string) => envKeyring([], key).voucherSigner(collectionId)
const rolesOf = (contract: Address, account: Address) =>
  testChain.client.readContract({
    address: contract,
    abi: parseAbi(['function rolesOf(address account) view returns (uint256)']),
    functionName: 'rolesOf',
    args: [account],
  })

test('a new voucher key signs once its role is mined; vouchers of the earlier signer stay valid until it is withdrawn', async () => {
  useVoucherKeys(EARLIER)
  const { collectionId, contract, itemIds, sender } = await makeOnChainCollection(organization, testChain, { items: 3 })
  const claims = await makeRedeemableClaims(organization, collectionId, itemIds, { txPayer: 'BUYER' })
  const voucherOf = async (at: number) => (await redeem(claims[at]!, recipient.address)).voucher
  const signerOf = async () =>
    (await systemClient().collection.findUniqueOrThrow({ where: { id: collectionId } })).signer
  const [earlier, newer] = [signerBy(EARLIER, collectionId), signerBy(NEWER, collectionId)]
  const first = await voucherOf(0)

  useVoucherKeys(NEWER, EARLIER)
  expect((await rotateSigner(worker())).requested).toEqual([collectionId])
  expect((await rotateSigner(worker())).requested).toEqual([])
  const second = await voucherOf(1) // still by the earlier signer, which is all that the contract knows
  await sender.run()
  expect(await signerOf()).toBe(newer)
  const third = await voucherOf(2)
  for (const voucher of [first, second, third])
    expect((await sendVoucher(testChain, recipient, voucher)).status).toBe('success')

  expect(await rotateSigner(worker(), { withdraw: true })).toMatchObject({
    requested: [],
    waiting: [{ id: collectionId }],
  })
  moveClock(8 * DAY * 1000)
  expect((await rotateSigner(worker(), { withdraw: true })).waiting).toHaveLength(1) // the books still have them open
  await systemClient().voucher.updateMany({ where: { collectionId }, data: { state: 'REDEEMED', updatedAt: now() } })
  expect((await rotateSigner(worker(), { withdraw: true })).requested).toEqual([collectionId])
  await sender.run()
  expect([await rolesOf(contract, earlier), await rolesOf(contract, newer)]).toEqual([0n, 2n])
  expect(await rotateSigner(worker(), { withdraw: true })).toEqual({
    requested: [],
    underWay: [],
    byOwner: [],
    waiting: [],
    unrotated: [],
  })
  expect(await signerOf()).toBe(newer)
})

test('the owner of a contract that isn’t ours is named, and the new signer signs once they have set its role', async () => {
  useVoucherKeys(EARLIER)
  const owner = makeRandomAddress()
  const { collectionId, contract } = await makeOnChainCollection(organization, testChain, { platform: { owner } })
  useVoucherKeys(NEWER, EARLIER)
  const signer = signerBy(NEWER, collectionId)
  const named = { id: collectionId, contract, owner, signer }
  expect((await rotateSigner(worker())).byOwner).toContainEqual(named)
  await testChain.node.impersonateAccount({ address: owner })
  await testChain.node.setBalance({ address: owner, value: parseEther('1') })
  const data = encodeSetRoles(signer, 2n)
  const hash = await testChain.node.sendUnsignedTransaction({ from: owner, to: contract, data })
  await receiptOf(testChain.client, hash)
  expect((await rotateSigner(worker())).byOwner).not.toContainEqual(named)
  const row = await systemClient().collection.findUniqueOrThrow({ where: { id: collectionId } })
  expect(row.signer).toBe(signer)
})
