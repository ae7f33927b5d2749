import { beforeAll, expect, test } from 'vitest'
import { type Hex, numberToHex, parseEther } from 'viem'
import { systemContext } from '../../lib/platform/auth/authenticate.ts'
import { startChain, type TestChain } from '../support/chain.ts'
import { makeRandomAddress } from '../support/claims.ts'
import { makeOrganization, type TestOrganization } from '../support/organization.ts'
import { makeOnChainCollection } from '../support/sending.ts'

const GAS_PRICE_ORACLE = '0x420000000000000000000000000000000000000F'
let testChain: TestChain
let organization: TestOrganization

/** Makes the test chain answer like an OP-stack network whose data fee is this for every transaction. */
const setDataFee = (wei: bigint) =>
  testChain.node.setCode({
    address: GAS_PRICE_ORACLE,
    // PUSH32 wei, PUSH0, MSTORE, PUSH1 32, PUSH0, RETURN
    bytecode: `0x7f${numberToHex(wei, { size: 32 }).slice(2)}5f5260205ff3` as Hex,
  })

beforeAll(async () => {
  testChain = await startChain()
  organization = await makeOrganization()
  await setDataFee(0n)
})

test('on an OP-stack network the data fee counts: what the balance can’t pay waits with an alarm', async () => {
  const { api, itemIds, sender } = await makeOnChainCollection(organization, testChain)
  const { body } = await api.post('/v1/mint-requests', { item_id: itemIds[0], to_address: makeRandomAddress() })
  const id = body.mint_requests[0].transaction_id as string
  const openAlarms = () => systemContext('test').db.alarm.count({ where: { kind: 'operator_low', resolvedAt: null } })
  await testChain.node.setBalance({ address: testChain.operator.address, value: parseEther('1') })
  await setDataFee(parseEther('0.9'))
  expect(await sender.submitAll()).toEqual(['short'])
  expect(await openAlarms()).toBe(1)
  expect((await api.get(`/v1/transactions/${id}`)).body.state).toBe('PENDING')

  await setDataFee(parseEther('0.1'))
  expect(await sender.submit()).toBe('sent')
  const { gasCostWei } = await organization.ctx.db.transaction.findFirstOrThrow({ where: { id } })
  const [signed] = await organization.ctx.db.signedTransaction.findMany({ where: { transactionId: id } })
  const gasWei = signed!.gasLimit * BigInt(signed!.maxFeePerGas.toFixed())
  expect(BigInt(gasCostWei!.toFixed())).toBe(gasWei + parseEther('0.125'))
})
