import fs from 'node:fs'
import path from 'node:path'
import { afterAll, expect } from 'vitest'
import { root } from './areas.ts'
import { mapFileOf, type Reach } from './reach.ts'

// Which declarations of lib a test file enters: the plugin of vitest.config.ts has put a note at the beginning of each function.
const reached = ((globalThis as { reached?: Set<string> }).reached ??= new Set())
reached.clear()
const begun = process.cpuUsage()

afterAll(() => {
  const file = path.relative(root, expect.getState().testPath!)
  const { user, system } = process.cpuUsage(begun)
  const found: Reach = { file, ms: Math.round((user + system) / 1000), reached: [...reached].sort() }
  fs.writeFileSync(mapFileOf(file), JSON.stringify(found))
})
