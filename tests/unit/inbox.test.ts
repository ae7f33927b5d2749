import fs from 'node:fs'
import os from 'node:os'
import path from 'node:path'
import nodemailer from 'nodemailer'
import { expect, onTestFinished, test } from 'vitest'
import { startInboxServer } from '../../scripts/launcher/inbox-server.ts'
import { findInboxMail, listInboxMail } from '../../lib/ports/mail/inbox.ts'

async function makeInbox(options: { refuse?: () => string | null } = {}) {
  const dir = fs.mkdtempSync(path.join(os.tmpdir(), 'vitrine-inbox-'))
  let clock = Date.UTC(2026, 10, 20)
  const server = await startInboxServer({ dir, port: 0, now: () => new Date((clock += 1000)), ...options })
  const transport = nodemailer.createTransport({ host: '127.0.0.1', port: server.port })
  onTestFinished(async () => {
    transport.close()
    await server.stop()
    fs.rmSync(dir, { recursive: true })
  })
  return { dir, transport }
}

const message = {
  from: 'Vitrine <hello@vitrine.localhost>',
  to: 'Ada <ada@example.com>',
  replyTo: 'shop@example.com',
  subject: 'Ein Geschenk für dich',
  text: 'text part',
  html: '<p>html part</p>',
  headers: { 'X-Kind': 'gift' },
}

test('a mail is stored whole, with the recipients of its envelope', async () => {
  const { dir, transport } = await makeInbox()
  await transport.sendMail({ ...message, bcc: 'hidden@example.com' })
  const [mail] = await listInboxMail(dir)
  expect(mail).toMatchObject({
    to: 'ada@example.com, hidden@example.com',
    from: 'Vitrine <hello@vitrine.localhost>',
    reply_to: 'shop@example.com',
    subject: 'Ein Geschenk für dich',
    text: expect.stringContaining('text part'),
    html: expect.stringContaining('html part'),
    headers: { 'x-kind': 'gift' },
    sent_at: '2026-11-20T00:00:01.000Z',
  })
  expect(await findInboxMail(dir, mail!.id)).toEqual(mail)
  expect(await findInboxMail(dir, '../secrets')).toBeNull()
})

test('mails are listed newest first and can be filtered by recipient', async () => {
  const { dir, transport } = await makeInbox()
  await transport.sendMail({ ...message, subject: 'first' })
  await transport.sendMail({ ...message, subject: 'second', to: 'bob@example.com' })
  await transport.sendMail({ ...message, subject: 'third' })
  expect((await listInboxMail(dir)).map((mail) => mail.subject)).toEqual(['third', 'second', 'first'])
  expect((await listInboxMail(dir, { to: 'ADA@example.com' })).map((mail) => mail.subject)).toEqual(['third', 'first'])
})

test('a refused mail is not stored, and the sender gets a temporary error (451)', async () => {
  let reason: string | null = 'Busy for a moment.'
  const { dir, transport } = await makeInbox({ refuse: () => reason })
  await expect(transport.sendMail(message)).rejects.toMatchObject({ responseCode: 451 })
  reason = null
  await transport.sendMail(message)
  expect(await listInboxMail(dir)).toHaveLength(1)
})
