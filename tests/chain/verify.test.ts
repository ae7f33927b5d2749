import { createWalletClient, encodeFunctionData, http, parseEther, type Address, type Hex } from 'viem'
import { generatePrivateKey, privateKeyToAccount } from 'viem/accounts'
import { foundry } from 'viem/chains'
import { afterEach, beforeAll, beforeEach, expect, onTestFinished, test } from 'vitest'
import { Prisma } from '../../generated/prisma/client.ts'
import { vitrine1155Abi, vitrine721Abi } from '../../lib/core/contracts/abi.ts'
import { encodeTransfer721 } from '../../lib/core/contracts/calls.ts'
import { encodeCancelVoucher, encodeMintWithVoucher } from '../../lib/core/contracts/vouchers.ts'
import { newId } from '../../lib/core/id.ts'
import { nothingCompared } from '../../lib/data/reconciliation/finding.ts'
import { verifyBooks } from '../../lib/data/reconciliation/verify-books.ts'
import { verifyRecords } from '../../lib/data/reconciliation/verify-records.ts'
import { projectLogs } from '../../lib/onchain/indexer/project-logs.ts'
import { storeLogs } from '../../lib/onchain/indexer/store-logs.ts'
import { undoCollection } from '../../lib/onchain/indexer/undo-logs.ts'
import { voucherEntryOf } from '../../lib/onchain/vouchers/show-voucher.ts'
import { systemContext } from '../../lib/platform/auth/authenticate.ts'
import { inTransaction } from '../../lib/platform/auth/context.ts'
import { viemChain } from '../../lib/ports/chain/viem-chain.ts'
import { callerOf } from '../support/call.ts'
import { startChain, type TestChain } from '../support/chain.ts'
import { makeTransfer1155, makeTransfer721, ZERO_ADDRESS } from '../support/chain-logs.ts'
import { makeRandomAddress } from '../support/claims.ts'
import { deployPlainErc721, plainErc721Abi } from '../support/foreign-contract.ts'
import { catchUpWith } from '../support/indexing.ts'
import { startLyingNode } from '../support/lying-node.ts'
import { makeOrganization, type TestOrganization } from '../support/organization.ts'
import { receiptOf } from '../support/receipt-of.ts'
import { makeRedeemableClaims, redeem } from '../support/redeemable-claims.ts'
import { findDisagreements, forgetCollections, makeFollowedCollection, makeMinted } from '../support/verifying.ts'
import { termsOf } from '../support/voucher-terms.ts'

let local: TestChain
let organization: TestOrganization
const holder = privateKeyToAccount(generatePrivateKey())
const worker = () => systemContext('test')

beforeAll(async () => {
  local = await startChain()
  await local.node.setBalance({ address: holder.address, value: parseEther('10') })
})
beforeEach(async () => {
  organization = await makeOrganization()
})
afterEach(forgetCollections)

const catchUp = () => catchUpWith(local.chain)
const change = (statement: Prisma.Sql) => worker().sql(statement)

async function send(to: Address, data: Hex): Promise<Hex> {
  const wallet = createWalletClient({ account: holder, chain: foundry, transport: http(local.rpcUrl) })
  const hash = await wallet.sendTransaction({ to, data, gas: 400_000n })
  expect((await receiptOf(local.client, hash)).status).toBe('success')
  return hash
}

const makeOwn = (variant: 'ERC721' | 'ERC1155', items = 3) =>
  makeMinted(organization, local, { variant, items, to: holder.address })

/** A claim's voucher for an item, made out to the holder. */
async function makeVoucher({ collectionId }: { collectionId: string }, itemId: string) {
  const [claim] = await makeRedeemableClaims(organization, collectionId, [itemId], { txPayer: 'BUYER' })
  await redeem(claim!, holder.address)
  const row = await organization.ctx.db.voucher.findFirstOrThrow({ where: { claimId: claim!.id } })
  const terms = termsOf(voucherEntryOf(row))
  const signature = row.signature as Hex
  return {
    id: row.id,
    mint: () => send(row.contract as Address, encodeMintWithVoucher(terms, signature)),
    cancel: () => send(row.contract as Address, encodeCancelVoucher(terms, signature)),
  }
}

test.each(['ERC721', 'ERC1155'] as const)(
  'after mints, transfers, burns and vouchers that were used, cancelled and not used, books and chain agree (%s)',
  async (variant) => {
    const made = await makeOwn(variant, 6)
    const vouchers = []
    for (const itemId of made.itemIds.slice(1)) vouchers.push(await makeVoucher(made, itemId))
    await vouchers[0]!.mint()
    await vouchers[1]!.cancel()
    await vouchers[2]!.mint()
    const burn = (id: bigint) =>
      variant === 'ERC721'
        ? encodeFunctionData({ abi: vitrine721Abi, functionName: 'burn', args: [id] })
        : encodeFunctionData({ abi: vitrine1155Abi, functionName: 'burn', args: [holder.address, id, 1n] })
    await send(made.contract, burn(4n))
    if (variant === 'ERC721') await send(made.contract, encodeTransfer721(holder.address, makeRandomAddress(), 1n))
    await catchUp()
    const compared = nothingCompared()
    expect(await verifyRecords(worker(), compared)).toEqual([])
    expect(compared).toMatchObject({ networks: 1, contracts: 1, tokens: 6, vouchers: 5, withoutNode: [] })
    expect(compared.logs).toBeGreaterThanOrEqual(5)
    expect(compared.mintRequests).toBe(variant === 'ERC1155' ? 1 : 0)
  },
)

test('a mint that is on the chain and isn’t entered yet is no disagreement', async () => {
  const { api, itemIds, sender } = await makeOwn('ERC721')
  await api.post('/v1/mint-requests', { item_id: itemIds[1], to_address: makeRandomAddress() })
  await sender.run()
  expect(await findDisagreements()).toEqual([])
})

test('a log that is gone from the books, with all that followed from it, is named', async () => {
  const made = await makeOwn('ERC721')
  await inTransaction(worker(), (tx) => undoCollection(tx, made.collectionId, 0n))
  await change(Prisma.sql`DELETE FROM chain_logs WHERE collection_id = ${made.collectionId}::uuid`)
  await change(Prisma.sql`DELETE FROM holds WHERE collection_id = ${made.collectionId}::uuid`)
  await change(Prisma.sql`DELETE FROM mint_requests WHERE collection_id = ${made.collectionId}::uuid`)
  expect(await verifyBooks(worker())).toEqual([])
  const findings = await verifyRecords(worker())
  expect(findings.map(({ check, subject }) => [check, subject])).toEqual([
    ['every log of the chain is entered', made.collectionId],
    ['owners are the chain’s', made.itemIds[0]],
  ])
  expect(findings[0]!.detail).toContain(made.txHash)
})

test.each([
  ['ERC721', ['owners are the chain’s']],
  ['ERC1155', ['units are the chain’s', 'owners are the chain’s']],
] as const)('a mint in the books that the chain never had is named (%s)', async (variant, checks) => {
  const { itemIds, collectionId, place } = await makeOwn(variant)
  const { number } = await worker().db.chainCursor.findFirstOrThrow({ where: { networkId: 31337 } })
  const at = { block: Number(number), index: 7, tx: newId() }
  const log =
    variant === 'ERC721'
      ? makeTransfer721(place, at, ZERO_ADDRESS, holder.address, 2n)
      : makeTransfer1155(place, at, ZERO_ADDRESS, holder.address, [2n], [3n])
  await inTransaction(worker(), async (tx) => {
    await storeLogs(tx, [log])
    await projectLogs(tx, [log])
  })
  expect(await verifyBooks(worker())).toEqual([])
  expect(await findDisagreements()).toEqual([
    ['every entered log is the chain’s', collectionId],
    ...checks.map((check) => [check, itemIds[1]]),
  ])
})

test('a log whose contents aren’t the chain’s is named', async () => {
  const { collectionId } = await makeOwn('ERC1155')
  await change(Prisma.sql`UPDATE chain_logs SET data = data || '00' WHERE collection_id = ${collectionId}::uuid`)
  expect(await findDisagreements()).toEqual([['an entered log says what the chain’s says', collectionId]])
})

test('an owner whom the books don’t have is named', async () => {
  const token = (await makeOwn('ERC721')).itemIds[0]!
  const units = (await makeOwn('ERC1155')).itemIds[0]!
  const owners = await organization.ctx.db.itemOwner.findMany({ where: { itemId: { in: [token, units] } } })
  await organization.ctx.db.itemOwner.deleteMany({ where: { itemId: { in: [token, units] } } })
  onTestFinished(async () => void (await organization.ctx.db.itemOwner.createMany({ data: owners })))
  const findings = await findDisagreements()
  expect(findings).toHaveLength(3)
  for (const item of [token, units]) expect(findings).toContainEqual(['an item’s units are with its owners', item])
  expect(findings).toContainEqual(['owners are the chain’s', token])
})

test.each(['ERC721', 'ERC1155'] as const)(
  'a voucher that was used and counts as expired, and one that counts as redeemed and wasn’t, are named (%s)',
  async (variant) => {
    const made = await makeOwn(variant)
    const used = await makeVoucher(made, made.itemIds[1]!)
    const unused = await makeVoucher(made, made.itemIds[2]!)
    await used.mint()
    await catchUp()
    await change(Prisma.sql`UPDATE vouchers SET state = 'EXPIRED' WHERE id = ${used.id}::uuid`)
    await change(Prisma.sql`UPDATE vouchers SET state = 'REDEEMED' WHERE id = ${unused.id}::uuid`)
    // The history forgets whose the mint was, so that the books agree.
    await change(Prisma.sql`
      UPDATE item_history SET voucher_id = NULL, hold_id = NULL WHERE voucher_id = ${used.id}::uuid`)
    const findings = await findDisagreements()
    for (const { id } of [used, unused])
      expect(findings).toContainEqual(['a voucher is redeemed exactly if its contract says so', id])
  },
)

test.each(['ERC721', 'ERC1155'] as const)(
  'a voucher whose contract has no code isn’t called used (%s)',
  async (variant) => {
    const made = await makeOwn(variant)
    const { id } = await makeVoucher(made, made.itemIds[1]!)
    await local.node.setCode({ address: made.contract, bytecode: '0x' })
    await local.node.mine({ blocks: 1 })
    await catchUp()
    expect(await findDisagreements()).not.toContainEqual(['a voucher is redeemed exactly if its contract says so', id])
  },
)

test('a mint request whose state and number on the chain differ is named', async () => {
  const { mintId, api, itemIds } = await makeOwn('ERC1155')
  const { body } = await api.post('/v1/mint-requests', { item_id: itemIds[1], to_address: holder.address })
  const unsent = body.mint_requests[0].id as string
  await change(Prisma.sql`UPDATE mint_requests SET state = 'FAILED' WHERE id = ${mintId}::uuid`)
  await change(Prisma.sql`
    UPDATE mint_requests SET state = 'COMPLETED', transaction_id = (SELECT transaction_id FROM mint_requests WHERE id = ${mintId}::uuid)
    WHERE id = ${unsent}::uuid`)
  const findings = await findDisagreements()
  for (const id of [mintId, unsent])
    expect(findings).toContainEqual(['a mint request is completed exactly if its number was used', id])
  // The books of the later tests agree.
  await change(Prisma.sql`UPDATE mint_requests SET state = 'COMPLETED' WHERE id = ${mintId}::uuid`)
})

test('a mint whose log a node left out is named, although the books agree with each other', async () => {
  const { api, itemIds, collectionId, sender } = await makeOwn('ERC721')
  const lying = await startLyingNode({ target: local.rpcUrl })
  lying.lie('empty_logs', 1)
  await api.post('/v1/mint-requests', { item_id: itemIds[1], to_address: makeRandomAddress() })
  await catchUpWith(viemChain(local.network, [lying.url]))
  const { body } = await api.post('/v1/mint-requests', { item_id: itemIds[2], to_address: makeRandomAddress() })
  await sender.run()
  await catchUpWith(viemChain(local.network, [lying.url]))
  const { txHash } = await organization.ctx.db.mintRequest.findFirstOrThrow({ where: { id: body.mint_requests[0].id } })
  const findings = await verifyRecords(worker())
  expect(findings).toContainEqual({
    check: 'every log of the chain is entered',
    subject: collectionId,
    detail: expect.stringContaining(txHash!),
  })
  expect(findings).toContainEqual(expect.objectContaining({ check: 'owners are the chain’s', subject: itemIds[2] }))
})

/** A foreign contract with this code, of which no token is known. */
async function makeForeign(bytecode: Hex): Promise<string> {
  await makeOwn('ERC721')
  const contractAddress = makeRandomAddress()
  await local.node.setCode({ address: contractAddress, bytecode })
  return makeFollowedCollection(organization, { networkId: 31337, deploymentType: 'EXTERNAL', contractAddress })
}

test('a foreign contract’s supply is compared where it tells one', async () => {
  const always7 = await makeForeign('0x60075f5260205ff3')
  expect(await findDisagreements()).toEqual([['a contract’s supply is what its logs say', always7]])
})

test('a foreign contract that lies about many tokens is one disagreement, with a few of them', async () => {
  const contract = await deployPlainErc721(local, holder)
  for (let id = 1n; id <= 5n; id++)
    await send(contract, encodeFunctionData({ abi: plainErc721Abi, functionName: 'mint', args: [holder.address, id] }))
  const connected = await callerOf(organization.key).post('/v1/collections', {
    name: newId(),
    deployment_request: { network_id: 31337, type: 'EXTERNAL', external: { address: contract, token_type: 'ERC721' } },
  })
  expect(connected.status).toBe(201)
  await catchUp()
  expect(await findDisagreements()).toEqual([])
  // It answers 7 to every call.
  await local.node.setCode({ address: contract, bytecode: '0x60075f5260205ff3' })
  expect(await verifyRecords(worker())).toEqual([
    {
      check: 'a foreign contract says what its logs say',
      subject: contract,
      foreign: contract,
      detail: expect.stringMatching(/^6 of its answers disagree: .*token \d.*; and 3 more$/),
    },
  ])
})

test.each([
  ['reverts', '0x5f5ffd'],
  ['answers nothing', '0x00'],
  ['answers one byte', '0x60015ff3'],
  ['never ends', '0x5b5f56'],
  ['has an invalid instruction', '0xfe'],
  ['is gone', '0x'],
] as const)('a foreign contract that %s when it is asked for its supply is no disagreement', async (_, code) => {
  await makeForeign(code)
  expect(await findDisagreements()).toEqual([])
})
