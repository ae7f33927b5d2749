import fs from 'node:fs'
import net, { type AddressInfo } from 'node:net'
import os from 'node:os'
import path from 'node:path'
import { onTestFinished } from 'vitest'
import { now } from '../../lib/core/clock.ts'
import { readEnv } from '../../lib/core/env.ts'
import type { Check, Finding, ResolveTxt, Subject } from '../../scripts/doctor/check.ts'
import { quoting } from '../../scripts/doctor/quote.ts'
import { SMTP_PASSWORD, SMTP_USER } from './mail-servers.ts'

type Given = Partial<Omit<Subject, 'settings' | 'quote'>> & { settings?: Record<string, string> }

/** Settings that name nothing but the test file's database. `settings` replaces or adds some. */
export function makeSubject({ settings = {}, ...rest }: Given = {}): Subject {
  const read = readEnv({
    DATABASE_URL: process.env.DATABASE_URL,
    SERVER_KEY: 'a1'.repeat(32),
    OPERATOR_EMAIL: 'ops@gallery.io',
    ...settings,
  })
  return {
    settings: read,
    mailTo: null,
    dkimSelector: null,
    resolveTxt: dns({}),
    now,
    timeoutMs: 10_000,
    quote: quoting(read),
    ...rest,
  }
}

/** A DNS with these TXT records. */
export const dns =
  (records: Record<string, string[]>): ResolveTxt =>
  (name) =>
    records[name]
      ? Promise.resolve(records[name])
      : Promise.reject(Object.assign(new Error(name), { code: 'ENOTFOUND' }))

/** What a check finds, as verdict and text in one line each. */
export async function find(check: Check, given: Given = {}): Promise<string[]> {
  const lineOf = ({ verdict, subject, detail, remedy }: Finding) =>
    [verdict, `${subject}:`, detail, ...(remedy ? ['→', remedy] : [])].join(' ')
  return (await check.run(makeSubject(given))).map(lineOf)
}

/** A server that takes connections and never says anything. */
export async function startSilentServer(): Promise<number> {
  const sockets: net.Socket[] = []
  const server = net.createServer((socket) => void sockets.push(socket.on('error', () => undefined)))
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  onTestFinished(() => {
    for (const socket of sockets) socket.destroy()
    server.close()
  })
  return (server.address() as AddressInfo).port
}

export function makeFolder(): string {
  const folder = fs.mkdtempSync(path.join(os.tmpdir(), 'vitrine-doctor-'))
  onTestFinished(() => fs.rmSync(folder, { recursive: true }))
  return folder
}

/** The URL of a server that `startSmtpServer` started. */
export const smtpUrl = ({ port }: { port: number }, password = SMTP_PASSWORD) =>
  `smtp://${SMTP_USER}:${encodeURIComponent(password)}@127.0.0.1:${port}`
