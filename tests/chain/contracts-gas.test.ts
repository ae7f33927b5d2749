import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { type GasChain, startGasChain } from '../../scripts/gas-chain.ts'
import { compiledContracts, measureOurs } from '../../scripts/gas-ours.ts'

/** What a figure may grow by before that has to be meant. */
const TOLERANCE = 1.005

/** The most that each may cost, whatever the snapshot says: at or under the best of the peers. */
const BOUNDS: Record<string, number> = {
  'deploy a collection': 120_000,
  'admin mint, one': 74_000,
  '100 recipients, any ids': 4_733_000,
  '100 recipients, consecutive ids': 3_200_000,
  '100 recipients, consecutive ids, over a chunk’s bound': 3_200_000,
  'voucher mint, free': 82_000,
  'voucher mint, one payee': 91_500,
  'voucher mint, two payees': 101_000,
  transfer: 61_700,
  'transfer, the first after a run, of a holder of one': 78_000,
  'ERC-1155, 100 recipients': 2_850_000,
}

const snapshot = JSON.parse(readFileSync(join(import.meta.dirname, '../../contracts/gas.json'), 'utf8')) as Record<string, number>
let chain: GasChain
let figures: Record<string, number>

beforeAll(async () => {
  chain = await startGasChain()
  figures = await measureOurs(chain, compiledContracts)
}, 120_000)

afterAll(() => chain?.stop())

test('no operation has become dearer than contracts/gas.json says by more than 0.5 %', () => {
  expect(Object.keys(figures)).toEqual(Object.keys(snapshot))
  const dearer = Object.entries(figures).filter(([operation, gas]) => gas > snapshot[operation]! * TOLERANCE)
  expect(dearer.map(([operation, gas]) => `${operation}: ${gas}, was ${snapshot[operation]}`)).toEqual([])
})

test.each(Object.entries(BOUNDS))('%s costs at most %i', (operation, bound) => {
  expect(figures[operation]).toBeLessThanOrEqual(bound)
})
