import { execFileSync } from 'node:child_process'
import { join } from 'node:path'
import { expect, test } from 'vitest'

test('lib/core/contracts/abi.ts is built from the current contract sources', () => {
  const root = join(import.meta.dirname, '../..')
  const check = () =>
    execFileSync(join(root, 'node_modules/.bin/node'), ['scripts/build-contracts.ts', '--check'], { cwd: root })
  expect(check).not.toThrow()
})
