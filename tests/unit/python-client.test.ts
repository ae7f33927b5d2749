import { execFile } from 'node:child_process'
import fs from 'node:fs'
import os from 'node:os'
import path from 'node:path'
import { promisify } from 'node:util'
import { Webhook } from 'standardwebhooks'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { RELEASE } from '../../lib/core/release.ts'
import { operations } from '../../lib/platform/api/index.ts'

const root = path.resolve(import.meta.dirname, '../..')
const folder = fs.mkdtempSync(path.join(os.tmpdir(), 'vitrine-python-'))
const run = promisify(execFile)
const python = (...args: string[]) => run('python3', ['-B', ...args], { env: { ...process.env, PYTHONPATH: folder } })

beforeAll(() => run(process.execPath, [path.join(root, 'scripts/python-client.ts'), '--to', folder]))
afterAll(() => fs.rmSync(folder, { recursive: true }))

test('the Python client has a method for each operation, and the version of the release', async () => {
  const program = `import json, vitrine
methods = [name for name in vars(vitrine.Vitrine) if not name.startswith("_") and name != "pages"]
print(json.dumps([vitrine.__version__, methods]))`
  const [version, methods] = JSON.parse((await python('-c', program)).stdout) as [string, string[]]
  const named = [...operations.keys()].map((name) => name.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`))
  expect(version).toBe(RELEASE)
  expect(methods.toSorted()).toEqual(named.toSorted())
})

test('the Python client keeps its promises', async () => {
  const { stderr } = await python('-m', 'unittest', 'discover', '-s', path.join(root, 'tests/python'))
  expect(stderr).toMatch(/Ran \d\d tests[\s\S]*OK\s*$/)
})

test('it verifies what the service signs', async () => {
  const secret = `whsec_${Buffer.alloc(32, 7).toString('base64')}`
  const body = '{"type":"claim.created","note":"ünïcode"}'
  const now = new Date()
  const headers = {
    'Webhook-Id': 'msg_1',
    'webhook-timestamp': String(Math.floor(now.getTime() / 1000)),
    'webhook-signature': `v1,b2xk ${new Webhook(secret).sign('msg_1', now, body)}`,
  }
  const program = `import json, sys
from vitrine import verify_webhook
secret, headers, body = json.loads(sys.argv[1])
print(verify_webhook(secret, headers, body)["type"])`
  const { stdout } = await python('-c', program, JSON.stringify([secret, headers, body]))
  expect(stdout.trim()).toBe('claim.created')
})
