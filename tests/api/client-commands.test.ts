import { spawn } from 'node:child_process'
import path from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { frontDoor } from '../support/front-door.ts'
import { makeOrganization } from '../support/organization.ts'
import { startReceiver } from '../support/receiver.ts'
import { until } from '../support/until.ts'
import { isSignedBy, recordTestEvent } from '../support/webhooks.ts'

const program = path.resolve(import.meta.dirname, '../../packages/client/src/cli/main.ts')

/** Starts a command of the client; it ends with the test at the latest. */
function start(args: string[], env: Record<string, string> = {}) {
  const child = spawn(process.execPath, [program, ...args], {
    env: { PATH: process.env.PATH, NODE_ENV: 'test', ...env },
  })
  const shown = { text: '' }
  for (const stream of [child.stdout, child.stderr])
    stream.on('data', (chunk: Buffer) => (shown.text += chunk.toString()))
  const ended = new Promise<number | null>((resolve) => child.on('exit', resolve))
  onTestFinished(async () => {
    child.kill('SIGKILL')
    await ended
  })
  return { child, shown, ended }
}

test('listen posts events to an address as they happen, signed as webhooks are; trigger sends an example', async () => {
  const mine = await makeOrganization()
  const { url } = await frontDoor()
  const receiver = await startReceiver()
  onTestFinished(() => receiver.close())
  const env = { VITRINE_API_KEY: mine.key, VITRINE_ORIGIN: `${url}/` }
  const { child, shown, ended } = start(['listen', '--forward-to', receiver.url], env)
  const [secret] = await until('the listener', () => /whsec_\S+/.exec(shown.text))
  await recordTestEvent(mine, 'item.minted', { item_id: 'i1' })
  const [minted] = await until('the event', () => receiver.received.length > 0 && receiver.received)
  expect(isSignedBy(secret, minted!)).toBe(true)
  const row = await mine.ctx.db.event.findFirstOrThrow({ where: { type: 'item.minted' } })
  expect(minted!.headers['webhook-id']).toBe(row.id)
  expect(JSON.parse(minted!.body)).toEqual({
    type: 'item.minted',
    id: row.id,
    organization_id: mine.id,
    timestamp: row.createdAt.toISOString(),
    data: { item_id: 'i1' },
  })

  const triggered = start(['trigger', 'purchase.confirmed'], env)
  expect(await triggered.ended, triggered.shown.text).toBe(0)
  await until('the example', () => receiver.received.length > 1)
  expect(JSON.parse(receiver.received[1]!.body)).toMatchObject({ type: 'purchase.confirmed', test: true })
  await until('a line for each', () => shown.text.split('\n').filter((line) => line.includes('→ 2')).length === 2)

  child.kill('SIGINT')
  expect(await ended, shown.text).toBe(0)

  const again = start(['listen', '--forward-to', receiver.url], env)
  await until('the same secret again', () => again.shown.text.includes(`signed with ${secret}`))
  const other = await makeOrganization()
  const theirs = start(['listen', '--forward-to', receiver.url], { ...env, VITRINE_API_KEY: other.key })
  const [theirSecret] = await until('the other listener', () => /whsec_\S+/.exec(theirs.shown.text))
  expect(theirSecret).not.toBe(secret)
})

const LISTEN = ['listen', '--key', 'vt_test_x', '--forward-to', 'http://127.0.0.1:1']

test.each([
  [['listen', '--forward-to', 'http://127.0.0.1:1'], 'An API key is needed'],
  [['listen', '--key', 'vt_test_x'], 'Where are the events to go?'],
  [['listen', '--key', 'vt_test_x', '--forward-to', 'http://a', '--secret', 'x!'], 'A secret is whsec_ and base64'],
  [
    [...LISTEN, '--events', 'claim.created, claim.create'],
    'There is no event “claim.create”. There are: item.minted, ',
  ],
  [[...LISTEN, '--events', ''], 'There is no event “”.'],
  [['trigger', '--key', 'vt_test_x'], 'Which event?'],
  [['trigger', 'item.minted', '--key', 'vt_test_x'], 'API key'],
  [['open', 'moon'], 'vitrine open takes dashboard, inbox, docs.'],
  [['dance'], 'There is no command dance.'],
  [['listen', '--dance'], 'Unknown option'],
])('%j says what is wrong', async (args, sentence) => {
  const { url } = await frontDoor()
  const { shown, ended } = start(args, { VITRINE_ORIGIN: url })
  expect(await ended).toBe(1)
  expect(shown.text).toContain(sentence)
})
