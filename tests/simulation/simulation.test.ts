import { spawn } from 'node:child_process'
import { readFileSync } from 'node:fs'
import path from 'node:path'
import { expect, test, vi } from 'vitest'
import { commit, sliceOf } from '../support/slices.ts'
import { DEFECTS } from './defects.ts'

// A busy machine takes its time; a quiet one needs about a minute for all of it.
vi.setConfig({ testTimeout: 1_200_000 })

type Summary = {
  seeds: number
  runs: number
  failed: number[]
  unsteady: number[]
  broken: string[]
  counts: Record<string, number>
}

/** Runs `npm run simulate` on this test run's server. */
async function simulate(...args: string[]): Promise<Summary> {
  const program = path.join(import.meta.dirname, 'main.ts')
  const child = spawn(process.execPath, [program, '--json', ...args], { stdio: ['ignore', 'pipe', 'inherit'] })
  let output = ''
  child.stdout.on('data', (part: Buffer) => (output += String(part)))
  await new Promise((resolve) => child.on('close', resolve))
  return JSON.parse(output.trimEnd().split('\n').at(-1)!) as Summary
}

const WORLDS = 4
const SLICES = 6

test('4 worlds of crashes, faults, reorgs and lies, others with each commit: everything promised comes about', async () => {
  // Seeds 1 to 24 come round. `npm run simulate` runs any others.
  const from = 1 + WORLDS * sliceOf(commit(), SLICES)
  const { seeds, failed, broken } = await simulate('--seeds', String(WORLDS), '--from', String(from))
  expect(broken).toEqual([])
  expect([seeds, failed]).toEqual([WORLDS, []])
})

test('the same seed gives the same trace', async () => {
  const { runs, unsteady } = await simulate('--seed', '7', '--times', '2')
  expect([runs, unsteady]).toEqual([2, []])
})

test('each defect that can be planted finds its text in the code', () => {
  const root = path.resolve(import.meta.dirname, '../..')
  const missing = Object.values(DEFECTS)
    .flat()
    .filter(({ file, text }) => !readFileSync(path.join(root, file), 'utf8').includes(text))
  expect(missing).toEqual([])
})
