import { defineConfig, mergeConfig } from 'vitest/config'
import tests from './vitest.config.ts'

/** npm run bench: figures, side by side in one run. Nothing here passes or fails by time. */
export default mergeConfig(
  { ...tests, test: { ...tests.test, include: [] } },
  defineConfig({ test: { include: ['tests/bench/**/*.bench.ts'], maxWorkers: 1, testTimeout: 600_000 } }),
)
