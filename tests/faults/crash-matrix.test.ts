import fs from 'node:fs'
import { afterAll, beforeAll, expect, test, vi } from 'vitest'

const postgres = await vi.hoisted(async () => {
  Object.assign(process.env, {
    PROOF_OF_WORK: 'off',
    OPEN_INTENTS_PER_BUYER: '0',
    OPEN_INTENTS_PER_CLIENT: '0',
    EGRESS_ALLOW: '127.0.0.1/32,::1/128',
  })
  const { startOwnPostgres } = await import('../support/own-postgres.ts')
  return startOwnPostgres({ durable: true })
})

import { pointsInCode } from './matrix/reach.ts'
import { LEFT_OUT, OF_COMMANDS, type Run, RUNS, WAYS } from './matrix/runs.ts'
import { expectSettled } from './matrix/settled.ts'
import { type Stage, startStage } from './matrix/stage.ts'
import { commit, sliceOf } from '../support/slices.ts'

// `npm run faults` does all runs, and tells which of them failed (matrix/main.ts). Else one slice is done, another one
// with each commit. By their names, runs of every kind are in each.
vi.setConfig({ testTimeout: 400_000, hookTimeout: 240_000 })

const SLICES = 45
const KINDS = ['web', 'worker'] as const
/** How long a process may take to come by its crash point. */
const REACHED_MS = 150_000

function selected(): Run[] {
  const { FAULTS = '', FAULTS_PART = '1/1' } = process.env
  const [part = 1, parts = 1] = FAULTS_PART.split('/').map(Number)
  const isNamed = ({ name }: Run) => FAULTS === 'all' || FAULTS.split(',').some((wanted) => name.includes(wanted))
  if (FAULTS) return RUNS.filter(isNamed).filter((_, at) => at % parts === part - 1)
  const slice = sliceOf(commit(), SLICES)
  return RUNS.filter(({ name }) => sliceOf(name, SLICES) === slice)
}

let stage: Stage
const seconds = new Map<string, number>()

beforeAll(async () => {
  stage = await startStage(postgres)
})

afterAll(() => {
  if (process.env.FAULTS_RESULT) fs.writeFileSync(process.env.FAULTS_RESULT, JSON.stringify([...seconds]))
})

test('every crash point of the code has its runs, and every run a point of the code', () => {
  const inCode = pointsInCode()
  expect(Object.keys(WAYS).sort()).toEqual([...inCode.keys()].sort())
  const without = [...inCode].flatMap(([point, kinds]) => {
    const known = point as keyof typeof WAYS
    const run = new Set(WAYS[known]?.map((way) => way.in))
    return KINDS.filter((kind) => kinds.has(kind) !== (run.has(kind) || LEFT_OUT[known]?.[kind] !== undefined)).map(
      (kind) => `${point} in the ${kind} process`,
    )
  })
  expect(without).toEqual([])
  const ofNoProcess = [...inCode].flatMap(([point, kinds]) => (kinds.size === 0 ? [point] : []))
  expect(ofNoProcess.sort()).toEqual(Object.keys(OF_COMMANDS).sort())
  expect(RUNS.length).toBeGreaterThanOrEqual(250)
  expect(new Set(RUNS.map(({ name }) => name)).size).toBe(RUNS.length)
})

for (const run of selected())
  test(run.name, async () => {
    const begun = performance.now()
    try {
      await perform(run)
    } catch (error) {
      await stage.renew()
      throw error
    }
    seconds.set(run.name, (performance.now() - begun) / 1000)
  })

/** A story, while something dies at a point of it; afterwards everything has ended, and all records agree. */
async function perform({ point, points, kind, victim, story, atStart, mayLoseNothing }: Run): Promise<void> {
  const { organization, act, check } = await story(stage)
  const isKilled = victim !== 'postgres'
  const order = isKilled ? { crashAt: point, stopAt: [] } : { crashAt: '', stopAt: points }
  await (atStart ? stage.replace(kind, order, act) : stage.arm(kind, order))
  const acted = atStart ? undefined : act()
  const died = isKilled
    ? stage.killAt(kind, points)
    : stage.killPostgresAt(kind, points, mayLoseNothing ? acted : undefined)
  await Promise.all([acted, inTime(died, `Not all of ${points.join(', ')} were reached.`)])
  await check()
  await expectSettled(stage, organization)
  expect(stage.isWhole()).toBe(true)
}

async function inTime(work: Promise<void>, failure: string): Promise<void> {
  const { promise: late, reject } = Promise.withResolvers<never>()
  const timer = setTimeout(() => reject(new Error(failure)), REACHED_MS)
  await Promise.race([work, late]).finally(() => clearTimeout(timer))
}
