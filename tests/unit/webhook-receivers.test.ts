import { spawn, spawnSync } from 'node:child_process'
import { createHash } from 'node:crypto'
import fs from 'node:fs'
import os from 'node:os'
import path from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { signWebhook, verifyWebhook } from '../../packages/client/src/webhooks.ts'
import { freePort } from '../../scripts/launcher/ports.ts'
import { fileOf } from '../support/guides.ts'
import { until } from '../support/until.ts'

const guide = fs.readFileSync(path.resolve(import.meta.dirname, '../../docs/webhooks.md'), 'utf8')

/** What the guide's table says, which code in other languages is compared with. */
const valueOf = (name: string) => new RegExp(`^\\| ${name} +\\| \`(.*)\` +\\|$`, 'm').exec(guide)![1]!
const secret = valueOf('secret')
const body = valueOf('body')

test('the values of the webhook guide belong together', async () => {
  const names = ['webhook-id', 'webhook-timestamp', 'webhook-signature']
  const headers = Object.fromEntries(names.map((name) => [name, valueOf(`\`${name}\``)]))
  const now = Number(headers['webhook-timestamp']) * 1000
  expect(await signWebhook(secret, headers['webhook-id']!, body, now)).toEqual(headers)
  expect(await verifyWebhook(body, headers, secret, { now })).toMatchObject({ type: 'purchase.confirmed' })
})

const RECEIVERS = {
  'receiver.mjs': { command: process.execPath, args: () => ['receiver.mjs'] },
  'receiver.py': { command: 'python3', args: () => ['receiver.py'] },
  'receiver.php': { command: 'php', args: (port: number) => ['-S', `127.0.0.1:${port}`, 'receiver.php'] },
}
/**
 * Not every machine has PHP, and nothing is installed for it. Without PHP the receiver must be the one that was run
 * last: whoever changes it runs this test with PHP, and writes here what it names.
 */
const PHP_RUN = { version: '8.2', sha256: '9e37b73e87145e6d3c1304fa5af362e1fa2357d043a154474c931654c537a62a' }
const hasPhp = spawnSync('php', ['--version']).status === 0

test('the PHP receiver of the webhook guide is the one that was run', () => {
  const sha256 = createHash('sha256').update(fileOf('webhooks', 'receiver.php')).digest('hex')
  expect(PHP_RUN.sha256).toBe(sha256)
})

test.each(Object.keys(RECEIVERS).filter((file) => hasPhp || file !== 'receiver.php') as (keyof typeof RECEIVERS)[])(
  '%s of the webhook guide takes what is signed, and nothing else',
  async (file) => {
    const { command, args } = RECEIVERS[file]
    const folder = fs.mkdtempSync(path.join(os.tmpdir(), 'receiver-'))
    fs.writeFileSync(path.join(folder, file), fileOf('webhooks', file))
    const port = await freePort()
    const env = { PATH: process.env.PATH, NODE_ENV: 'test' as const, PORT: `${port}`, VITRINE_WEBHOOK_SECRET: secret }
    const receiver = spawn(command, args(port), { cwd: folder, env })
    const ended = new Promise((resolve) => receiver.on('exit', resolve))
    onTestFinished(async () => {
      receiver.kill('SIGKILL')
      await ended
      fs.rmSync(folder, { recursive: true })
    })
    let said = ''
    for (const stream of [receiver.stdout, receiver.stderr])
      stream.on('data', (chunk: Buffer) => (said += String(chunk)))

    const url = `http://127.0.0.1:${port}/hooks`
    await until(`${file} answers`, () => fetch(url, { method: 'POST' }).catch(() => null))
    const event = JSON.stringify({ type: 'purchase.confirmed', id: 'evt_1', data: { email: 'zoë@example.com' } })
    const signed = await signWebhook(secret, 'evt_1', event)
    const old = await signWebhook(secret, 'evt_1', event, Date.now() - 301_000)
    const other = await signWebhook(`whsec_${btoa('another secret')}`, 'evt_1', event)
    const { 'webhook-signature': _, ...unsigned } = signed
    const answerTo = async (text: string, headers: Record<string, string>) =>
      (await fetch(url, { method: 'POST', headers: { 'content-type': 'application/json', ...headers }, body: text }))
        .status

    const both = `${other['webhook-signature']} ${signed['webhook-signature']}`
    expect([
      await answerTo(event, unsigned),
      await answerTo(event, {}),
      await answerTo(event, other),
      await answerTo(event, old),
      await answerTo(`${event} `, signed),
      await answerTo(event, { ...signed, 'webhook-id': 'evt_2' }),
      await answerTo(event, { ...signed, 'webhook-signature': `v1,${'ü'.repeat(44)}` }),
      await answerTo(event, { ...signed, 'webhook-timestamp': 'now' }),
    ]).toEqual(Array.from({ length: 8 }, () => 400))
    expect(said).not.toContain('Verified')
    expect([await answerTo(event, signed), await answerTo(event, { ...signed, 'webhook-signature': both })]).toEqual([
      204, 204,
    ])
    await until('both are shown', () => said.split('Verified: purchase.confirmed evt_1').length === 3)
  },
)
