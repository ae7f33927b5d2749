import { expect, test } from 'vitest'
import { CONTRACTS_VERSION } from '../../lib/core/contracts/abi.ts'
import { mayMintConsecutively, consecutiveBatchesOf } from '../../lib/onchain/transactions/consecutive-batches-of.ts'

const mintsOf = (...ids: (number | bigint)[]) => ids.map((id) => ({ item: { tokenId: String(id) } }))
const idsOf = (runs: { item: { tokenId: string | null } }[][]) =>
  runs.map((run) => run.map(({ item }) => Number(item.tokenId)))
const upTo = (last: number, first = 1) => Array.from({ length: last - first + 1 }, (_, at) => first + at)

test('a run is 20 mints or more on consecutive ids, whatever order they came in', () => {
  expect(idsOf(consecutiveBatchesOf(mintsOf(...upTo(20).reverse())))).toEqual([upTo(20)])
  expect(consecutiveBatchesOf(mintsOf(...upTo(19)))).toEqual([])
})

test('a gap ends a run; what is too short for one is left out', () => {
  expect(idsOf(consecutiveBatchesOf(mintsOf(...upTo(20), ...upTo(41, 22), ...upTo(50, 45))))).toEqual([
    upTo(20),
    upTo(41, 22),
  ])
})

test('ids compare as numbers, and those beyond the contract’s bound are in no run', () => {
  expect(idsOf(consecutiveBatchesOf(mintsOf(...upTo(110, 91))))).toEqual([upTo(110, 91)])
  expect(consecutiveBatchesOf(mintsOf(...upTo(20).map((at) => 2n ** 63n + BigInt(at))))).toEqual([])
})

test('only contracts of ours that know runs get them, and a batch that was sent back from one doesn’t', () => {
  const able = {
    payload: null,
    collection: { tokenType: 'ERC721', deploymentType: 'PLATFORM', contractVersion: CONTRACTS_VERSION },
  }
  expect(mayMintConsecutively(able)).toBe(true)
  for (const not of [
    { tokenType: 'ERC1155' },
    { deploymentType: 'EXTERNAL' },
    { contractVersion: null },
    { contractVersion: '1-c12974f1' },
  ])
    expect(mayMintConsecutively({ ...able, collection: { ...able.collection, ...not } })).toBe(false)
  expect(mayMintConsecutively({ ...able, payload: { ordinary: true } })).toBe(false)
})
