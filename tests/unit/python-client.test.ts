import { execFile } from 'node:child_process'
import fs from 'node:fs'
import path from 'node:path'
import { promisify } from 'node:util'
import { Webhook } from 'standardwebhooks'
import { expect, test } from 'vitest'
import { pythonClient } from '../../scripts/python-client/write-python-client.ts'

const root = path.resolve(import.meta.dirname, '../..')
const client = path.join(root, 'packages/python/vitrine.py')
const run = promisify(execFile)

test('packages/python/vitrine.py is what npm run python-client writes', async () => {
  expect(fs.readFileSync(client, 'utf8')).toBe(await pythonClient())
})

test('the Python client keeps its promises', async () => {
  const { stderr } = await run('python3', ['-B', '-m', 'unittest', 'discover', '-s', path.join(root, 'tests/python')], {
    env: { ...process.env, PYTHONPATH: path.dirname(client) },
  })
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
  const { stdout } = await run('python3', ['-B', '-c', program, JSON.stringify([secret, headers, body])], {
    env: { ...process.env, PYTHONPATH: path.dirname(client) },
  })
  expect(stdout.trim()).toBe('claim.created')
})
