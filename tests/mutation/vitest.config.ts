import fs from 'node:fs'
import path from 'node:path'
import { defineConfig } from 'vitest/config'
import { BaseSequencer, type Reporter, type TestSpecification } from 'vitest/node'
import tests from '../../vitest.config.ts'
import { isMutated, root } from './areas.ts'
import { withActiveChange } from './change.ts'
import { countingFunctions, mapFileOf } from './reach.ts'

/** Test files in the order in which they were given: the nearest first. */
class InGivenOrder extends BaseSequencer {
  override sort(files: TestSpecification[]) {
    return Promise.resolve(files)
  }
}

/** A test file that fails without a change can't say anything of one. */
const onlyPassed: Reporter = {
  onTestModuleEnd: (module) => {
    if (!module.ok()) fs.rmSync(mapFileOf(path.relative(root, module.moduleId)), { force: true })
  },
}

/** One PostgreSQL serves all processes: main.ts has started it. */
const projects = tests.test!.projects!.map((project) => {
  const { globalSetup: _, ...test } = (project as { test: { globalSetup?: unknown } }).test
  return { ...(project as object), test }
})

/** The project's tests, with one change of its source, or noting which functions they enter. */
export default defineConfig({
  ...tests,
  plugins: [
    {
      name: 'mutation',
      enforce: 'pre',
      transform(source, id) {
        const file = id.split('?')[0]!
        if (!file.startsWith(`${root}/lib/`)) return null
        if (!process.env.REACH) return withActiveChange(root, file, source)
        const relative = path.relative(root, file)
        return isMutated(relative) ? countingFunctions(relative, source) : null
      },
    },
  ],
  test: {
    ...tests.test,
    projects,
    ...(process.env.REACH
      ? {
          setupFiles: ['tests/mutation/reach-setup.ts'],
          reporters: ['default', onlyPassed],
          testTimeout: 300_000,
          maxWorkers: Number(process.env.REACH),
        }
      : { bail: 1, maxWorkers: 1, sequence: { sequencer: InGivenOrder } }),
  },
})
