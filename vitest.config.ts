import path from 'node:path'
import { defineConfig } from 'vitest/config'
import { BaseSequencer, type TestSpecification } from 'vitest/node'
import { notingReach } from './scripts/test-runner/noting-reach.ts'
import { REACH } from './scripts/test-runner/reach.ts'

// Compiled code is cached, also for the processes that tests start: each of them reads hundreds of packages.
process.env.NODE_COMPILE_CACHE ??= path.resolve(import.meta.dirname, 'node_modules/.cache/node-compile')

/**
 * Files that measure their own process come first, in a new process: later there is much garbage to collect. Those of
 * faults and simulation take longest and come next: else one of them ends long after all others.
 */
const EARLY = [/\/tests\/security\/worst-/, /\/tests\/(faults|simulation)\//]

const placeOf = ({ moduleId }: TestSpecification): number => {
  const place = EARLY.findIndex((pattern) => pattern.test(moduleId))
  return place < 0 ? EARLY.length : place
}

class EarlyFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    return (await super.sort(files)).toSorted((a, b) => placeOf(a) - placeOf(b))
  }
}

/** Tests that use the database: one PostgreSQL for all files, and a database for each. */
export const database = {
  name: 'database',
  globalSetup: ['tests/support/global-setup.ts'],
  setupFiles: ['tests/support/setup.ts'],
  sequence: { groupOrder: 1 },
}

export default defineConfig({
  resolve: { alias: { '@': path.resolve(import.meta.dirname) } },
  plugins: process.env[REACH] ? [notingReach] : [],
  test: {
    pool: 'forks',
    sequence: { sequencer: EarlyFirst },
    maxWorkers: 3, // they wait for about half of their time, and most machines have two cores
    // A process runs many files, so that packages are loaded once; tests/support/setup.ts gives each file modules of
    // its own.
    isolate: false,
    testTimeout: 60_000,
    hookTimeout: 60_000,
    projects: [
      {
        extends: true,
        test: {
          name: 'unit',
          include: ['tests/unit/**/*.test.ts', 'tests/*.test.ts'],
          setupFiles: ['tests/support/note-reach.ts'],
          unstubGlobals: true,
          unstubEnvs: true,
        },
      },
      {
        extends: true,
        test: { ...database, include: ['tests/{domain,api,chain,security,faults,simulation}/**/*.test.ts'] },
      },
    ],
  },
})
