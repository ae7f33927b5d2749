import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { type GasChain, startGasChain } from '../../scripts/gas-chain.ts'
import { compiledContracts, GAS_BOUNDS, measureOurs } from '../../scripts/gas-ours.ts'

/** What a figure may grow by before that has to be meant. */
const TOLERANCE = 1.005

const snapshot = JSON.parse(readFileSync(join(import.meta.dirname, '../../contracts/gas.json'), 'utf8')) as Record<
  string,
  number
>
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

test.each(Object.entries(GAS_BOUNDS))('%s costs at most %i', (operation, bound) => {
  expect(figures[operation]).toBeLessThanOrEqual(bound)
})
