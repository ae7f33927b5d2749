import { spawnSync } from 'node:child_process'
import { expect, test } from './support/test.ts'

test('Next ends at once where our server isn’t in front of it', () => {
  const args = ['node_modules/next/dist/bin/next', 'start', '--port', '0', '--hostname', '127.0.0.1']
  const { status, stdout, stderr } = spawnSync(process.execPath, args, { encoding: 'utf8', timeout: 60_000 })
  expect(status, stdout + stderr).toBe(1)
  expect(stdout + stderr).toContain('Next is started without the server of scripts/web.ts')
})
