import { expect, test } from 'vitest'
import { CONTRACTS_VERSION } from '../../lib/core/contracts/abi.ts'
import { mayMintConsecutively, consecutiveBatchesOf } from '../../lib/onchain/transactions/consecutive-batches-of.ts'

const mintsOf = (...ids: (number | bigint)[]) => ids.map((id) => ({ item: { tokenId: String(id) } }))
const idsOf = (batches: { item: { tokenId: string | null } }[][]) =>
  batches.map((batch) => batch.map(({ item }) => Number(item.tokenId)))
const upTo = (last: number, first = 1) => Array.from({ length: last - first + 1 }, (_, at) => first + at)

test('20 or more mints on consecutive ids make a consecutive batch, in any order', () => {
  expect(idsOf(consecutiveBatchesOf(mintsOf(...upTo(20).reverse())))).toEqual([upTo(20)])
  expect(consecutiveBatchesOf(mintsOf(...upTo(19)))).toEqual([])
})

test('a gap ends a batch, and a sequence of fewer than 20 ids is left out', () => {
  expect(idsOf(consecutiveBatchesOf(mintsOf(...upTo(20), ...upTo(41, 22), ...upTo(50, 45))))).toEqual([
    upTo(20),
    upTo(41, 22),
  ])
})

test('ids compare as numbers, and ids from 2^63 on are in no batch', () => {
  expect(idsOf(consecutiveBatchesOf(mintsOf(...upTo(110, 91))))).toEqual([upTo(110, 91)])
  expect(consecutiveBatchesOf(mintsOf(...upTo(20).map((at) => 2n ** 63n + BigInt(at))))).toEqual([])
})

test('only our contracts that support batches get them, and never a transaction marked ordinary', () => {
  const supported = {
    payload: null,
    collection: { tokenType: 'ERC721', deploymentType: 'PLATFORM', contractVersion: CONTRACTS_VERSION },
  }
  expect(mayMintConsecutively(supported)).toBe(true)
  for (const change of [
    { tokenType: 'ERC1155' },
    { deploymentType: 'EXTERNAL' },
    { contractVersion: null },
    { contractVersion: '1-c12974f1' },
  ])
    expect(mayMintConsecutively({ ...supported, collection: { ...supported.collection, ...change } })).toBe(false)
  expect(mayMintConsecutively({ ...supported, payload: { ordinary: true } })).toBe(false)
})
