import fs from 'node:fs'
import path from 'node:path'
import { afterAll, afterEach, beforeEach, expect } from 'vitest'
import { root } from './areas.ts'
import { mapFileOf, type Reach } from './reach.ts'

// Which declarations of lib a test file and each of its tests enter: the plugin of vitest.config.ts has put a note at
// the beginning of each function.
const noted = globalThis as { reached?: Set<string> }
const outside = (noted.reached = new Set<string>())
const tests: Reach['tests'] = []
const begun = process.cpuUsage()
let ofTest = begun

const msSince = (from: NodeJS.CpuUsage): number => {
  const { user, system } = process.cpuUsage(from)
  return Math.round((user + system) / 1000)
}

beforeEach(() => {
  noted.reached = new Set()
  ofTest = process.cpuUsage()
})

afterEach(({ task }) => {
  tests.push({ name: task.fullTestName, ms: msSince(ofTest), reached: [...noted.reached!].sort() })
  noted.reached = outside
})

afterAll(() => {
  const file = path.relative(root, expect.getState().testPath!)
  const ms = tests.reduce((rest, test) => rest - test.ms, msSince(begun))
  const found: Reach = { file, ms: Math.max(0, ms), reached: [...outside].sort(), tests }
  fs.writeFileSync(mapFileOf(file), JSON.stringify(found))
})
