import { defineConfig } from 'vitest/config'
import tests, { database } from './vitest.config.ts'

/** npm run bench: figures, side by side in one run. Nothing here passes or fails by time. */
export default defineConfig({
  ...tests,
  test: { ...database, include: ['tests/bench/**/*.bench.ts'], maxWorkers: 1, testTimeout: 600_000 },
})
