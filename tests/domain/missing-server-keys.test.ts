import os from 'node:os'
import { afterEach, beforeAll, expect, test } from 'vitest'
import { moveClock, resetClock } from '../../lib/core/clock.ts'
import { newId } from '../../lib/core/id.ts'
import { replaceServerKeys, serverKeys } from '../../lib/core/server-keys.ts'
import { systemClient } from '../../lib/db/client.ts'
import { endKeyAlarms } from '../../lib/messaging/outbox/missing-keys.ts'
import { openMailer } from '../../lib/messaging/outbox/mailer.ts'
import { writeMail } from '../../lib/messaging/outbox/write-mail.ts'
import { systemContext } from '../../lib/platform/auth/authenticate.ts'
import { type Mailbox, startMailbox } from '../support/mailbox.ts'

const [OLD, NEW] = ['b2'.repeat(32), 'c3'.repeat(32)]
let mailbox: Mailbox
beforeAll(async () => {
  mailbox = await startMailbox()
})
afterEach(() => {
  resetClock()
  replaceServerKeys(null)
})

/** One round of a worker's mailer with the keys that the process has. */
async function sendDue(): Promise<void> {
  const mailer = openMailer(() => systemContext('mail'), { urgent: true })
  await mailer.begin()
  await mailer.idle()
}

const alarms = () =>
  systemClient().alarm.findMany({
    where: { kind: 'server_key_missing', resolvedAt: null },
    select: { subject: true, detail: true },
  })

test('a worker without the new SERVER_KEY raises an alarm while mails wait, which ends when they are sent', async () => {
  replaceServerKeys(`${NEW},${OLD}`)
  const keyId = serverKeys()[0]!.id
  const to = `${newId()}@example.com`
  const variables = { sign_in_url: 'https://vitrine.example/link', origin_host: 'vitrine.example', minutes: '60' }
  await writeMail(systemContext('test'), { templateType: 'SIGN_IN', to, variables })

  replaceServerKeys(OLD)
  await sendDue()
  expect(mailbox.mailsTo(to)).toEqual([])
  const open = [{ subject: keyId, detail: expect.stringContaining(`on ${os.hostname()} can’t open them`) }]
  expect(await alarms()).toEqual(open)
  await endKeyAlarms(systemContext('test'))
  expect(await alarms()).toEqual(open)

  replaceServerKeys(`${NEW},${OLD}`)
  moveClock(10_000) // the pause after the first try
  await sendDue()
  expect(mailbox.mailsTo(to)).toHaveLength(1)
  await endKeyAlarms(systemContext('test'))
  expect(await alarms()).toEqual([])
})
