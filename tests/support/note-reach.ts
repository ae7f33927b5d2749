import fs from 'node:fs'
import path from 'node:path'
import { afterAll, expect } from 'vitest'
import { REACH, REACH_FILES, type Reach } from '../../scripts/test-runner/reach.ts'

// Notes which files a test file loads, and which of their functions it enters (scripts/test-runner/noting-reach.ts).
// What its tests enter in processes of their own isn't seen.

const root = `${path.resolve(import.meta.dirname, '../..')}/`
const begun = performance.now()

if (process.env[REACH]) {
  const reached = ((globalThis as { reached?: Set<string> }).reached = new Set())
  afterAll(() => {
    const entered: Reach['entered'] = {}
    for (const note of reached) {
      const [file, place] = [note.slice(0, note.indexOf(' ')), note.slice(note.indexOf(' ') + 1)]
      entered[file] = (entered[file] ?? 0) + (place ? 1 : 0)
    }
    const file = expect.getState().testPath!.slice(root.length)
    const reach: Reach = { file, ms: Math.max(0, Math.round(performance.now() - begun)), entered }
    fs.mkdirSync(REACH_FILES, { recursive: true })
    fs.writeFileSync(path.join(REACH_FILES, `${file.replaceAll('/', '~')}.json`), JSON.stringify(reach))
  })
}
