import { expect, onTestFinished, test, vi } from 'vitest'
import { moveClock, resetClock } from '../../lib/core/clock.ts'
import { newId } from '../../lib/core/id.ts'
import { systemClient } from '../../lib/db/client.ts'
import { raiseAlarm } from '../../lib/records/alarms/raise-alarm.ts'
import { startMailbox } from '../support/mailbox.ts'
import { makeOrganization } from '../support/organization.ts'
import { startReceiver } from '../support/receiver.ts'
import { until } from '../support/until.ts'
import { isSignedBy } from '../support/webhooks.ts'
import { spawnWorker } from '../support/worker.ts'

// A worker process starts slowly on a busy machine.
vi.setConfig({ testTimeout: 240_000 })

const SECRET = `whsec_${Buffer.alloc(32, 7).toString('base64')}`
/** A dead worker's work is done by the next one when its leases have ended. */
const RECOVERY_MS = 150_000
const OPERATOR = 'operator@example.com'

test('worker killed while it tells an alarm: nothing is lost, and what is sent again has the same id', async () => {
  const mailbox = await startMailbox()
  const receiver = await startReceiver()
  onTestFinished(() => receiver.close())
  const organization = await makeOrganization()
  moveClock(-120_000)
  await raiseAlarm(organization.ctx, 'refund_stuck', newId(), 'The card provider refused it.')
  resetClock()
  const env = {
    SMTP_URL: mailbox.url,
    EGRESS_ALLOW: '127.0.0.1/32',
    OPERATOR_EMAIL: OPERATOR,
    OPERATOR_WEBHOOK_URL: receiver.url,
    OPERATOR_WEBHOOK_SECRET: SECRET,
  }
  const { ended } = spawnWorker({ env: {} }, { crashAt: 'alarm_posted', env })
  expect((await ended).signal).toBe('SIGKILL')
  expect(receiver.received).toHaveLength(1)

  // Ends the notice's lease.
  const waiting = { channel: 'OPERATOR_WEBHOOK' as const, toldAt: null }
  const { count } = await systemClient().alarmNotice.updateMany({ where: waiting, data: { postingUntil: null } })
  expect(count).toBe(1)
  const worker = spawnWorker({ env: {} }, { env })
  await until('The post', async () => (await systemClient().alarmNotice.count({ where: waiting })) === 0)
  for (const to of [organization.email, OPERATOR])
    await until(`The mail to ${to}`, () => mailbox.mailsTo(to).length > 0, RECOVERY_MS)
  expect((await worker.stop()).code).toBe(0)
  expect(receiver.received.map(({ json }) => [json.type, json.organization_id])).toEqual([
    ['alarm.opened', organization.id],
    ['alarm.opened', organization.id],
  ])
  expect(new Set(receiver.received.map(({ headers }) => headers['webhook-id'])).size).toBe(1)
  for (const received of receiver.received) expect(isSignedBy(SECRET, received)).toBe(true)
  for (const to of [organization.email, OPERATOR]) {
    expect(new Set(mailbox.mailsTo(to).map(({ messageId }) => messageId)).size).toBe(1)
    expect(await systemClient().outboxMessage.count({ where: { toEmail: to } })).toBe(1)
  }
})
