import path from 'node:path'
import { defineConfig } from 'vitest/config'

// Compiled code is cached, also for the processes that tests start: each of them reads hundreds of packages.
process.env.NODE_COMPILE_CACHE ??= path.resolve(import.meta.dirname, 'node_modules/.cache/node-compile')

/** Tests that use the database: one PostgreSQL for all files, and a database for each. */
export const database = {
  name: 'database',
  globalSetup: ['tests/support/global-setup.ts'],
  setupFiles: ['tests/support/setup.ts'],
  sequence: { groupOrder: 1 },
}

export default defineConfig({
  resolve: { alias: { '@': path.resolve(import.meta.dirname) } },
  test: {
    pool: 'forks',
    maxWorkers: 2,
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
