import os from 'node:os'
import path from 'node:path'
import { pathToFileURL } from 'node:url'
import { expect, test, vi } from 'vitest'
import { HOUR } from '../../lib/core/clock.ts'
import { systemClient } from '../../lib/db/client.ts'
import { call } from '../support/call.ts'
import { startChain } from '../support/chain.ts'
import { sendClaim } from '../support/claims.ts'
import { startMailbox } from '../support/mailbox.ts'
import { makeOrganization } from '../support/organization.ts'
import { until } from '../support/until.ts'
import { spawnWorker } from '../support/worker.ts'

// A worker process starts slowly on a busy machine.
vi.setConfig({ testTimeout: 240_000 })

const AHEAD_MS = 2 * HOUR * 1000
const LIES = pathToFileURL(path.resolve(import.meta.dirname, '../support/lying-clock.mjs')).href

test('a worker whose host is two hours ahead mails PINs, dates rows as PostgreSQL does, and names its host', async () => {
  const mailbox = await startMailbox()
  const chain = await startChain()
  const organization = await makeOrganization()
  const { email, token } = await sendClaim(organization)
  const asked = await call('POST', `/public/v1/email-claims/${token}/verify`, { body: { email } })
  expect(asked.status, JSON.stringify(asked.body)).toBe(201)

  const lines: string[] = []
  const lies = { NODE_OPTIONS: `--import=${LIES}`, CLOCK_AHEAD_MS: String(AHEAD_MS) }
  const worker = spawnWorker(chain, { lines, env: { ...lies, SMTP_URL: mailbox.url, LOG_LEVEL: 'error' } })
  const mails = await until('The PIN', () => {
    const all = mailbox.mailsTo(email)
    return all.length > 1 && all
  })
  const alarm = await until('The alarm', () => systemClient().alarm.findFirst({ where: { kind: 'clock_apart' } }))
  expect((await worker.stop()).code).toBe(0)

  // Everything that this worker dated lies between now and then.
  const [{ latest }] = await systemClient().$queryRaw<[{ latest: Date }]>`SELECT clock_timestamp() AS latest`
  const sent = await systemClient().outboxMessage.findMany({ where: { toEmail: email } })
  const dated = [alarm.createdAt, ...sent.map(({ sentAt }) => sentAt!), ...mails.map(({ date }) => new Date(date!))]
  for (const at of dated) expect(at.getTime()).toBeLessThanOrEqual(latest.getTime() + 1000)
  expect(alarm).toMatchObject({ subject: os.hostname(), organizationId: null })
  const [own, postgresql] = alarm.detail.match(/\d{4}-\S+Z/g)!.map((text) => Date.parse(text))
  expect(Math.round((own! - postgresql!) / 60_000)).toBe(120)
  expect(alarm.detail).toContain(os.hostname())
  const said = lines.map((line) => JSON.parse(line) as { msg: string; host?: string }).filter(({ host }) => host)
  expect(said).toMatchObject([{ host: os.hostname(), own: expect.any(String), postgresql: expect.any(String) }])
})
