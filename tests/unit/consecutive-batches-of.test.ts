import { expect, test } from 'vitest'
import { zeroAddress } from 'viem'
import { CONTRACTS_VERSION } from '../../lib/core/contracts/abi.ts'
import { encodeAdminMintConsecutive } from '../../lib/core/contracts/calls.ts'
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

test('ids compare as numbers', () => {
  expect(idsOf(consecutiveBatchesOf(mintsOf(...upTo(110, 91))))).toEqual([upTo(110, 91)])
})

test('ids of the last chunk that a contract can number, and ids beyond it, are in no batch', () => {
  const firstOfLast = 2n ** 63n - 128n
  const around = (first: bigint, count: number) => mintsOf(...upTo(count, 0).map((at) => first + BigInt(at)))
  expect(consecutiveBatchesOf(around(firstOfLast, 200))).toEqual([])
  expect(consecutiveBatchesOf(around(2n ** 63n, 20))).toEqual([])
  expect(
    consecutiveBatchesOf(around(firstOfLast - 20n, 40)).map((batch) => batch.map(({ item }) => item.tokenId)),
  ).toEqual([around(firstOfLast - 20n, 19).map(({ item }) => item.tokenId)])
  expect(() => encodeAdminMintConsecutive(firstOfLast - 1n, [zeroAddress, zeroAddress])).toThrow(RangeError)
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
