// npm run soak -- --minutes 30 --seed 1: the soak of tests/bench/soak.bench.ts.
import { spawnSync } from 'node:child_process'
import path from 'node:path'
import { parseArgs } from 'node:util'

const root = path.resolve(import.meta.dirname, '../../..')
const { values } = parseArgs({
  options: { minutes: { type: 'string', default: '30' }, seed: { type: 'string', default: '1' } },
})
const { status } = spawnSync(
  path.join(root, 'node_modules/.bin/vitest'),
  ['run', '--config', 'vitest.bench.config.ts', '--disableConsoleIntercept=true', 'tests/bench/soak.bench.ts'],
  { cwd: root, stdio: 'inherit', env: { ...process.env, SOAK_MINUTES: values.minutes, SOAK_SEED: values.seed } },
)
process.exitCode = status ?? 1
