import { type ChildProcess, execFileSync, spawn } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import type { AddressInfo } from 'node:net'
import path from 'node:path'
import { expect, test } from '@playwright/test'
import pg from 'pg'
import PostalMime from 'postal-mime'
import { SMTPServer } from 'smtp-server'
import { privateKeyToAddress } from 'viem/accounts'
import { freePort } from '../../scripts/launcher/ports.ts'
import { expectAccessible } from './support/axe.ts'
import { chain } from './support/gift.ts'
import { stack } from './support/stack.ts'

// A fresh installation beside the sandbox: its own database and processes without any of the sandbox's settings, on the sandbox's
// PostgreSQL server and chain.
const root = path.resolve(import.meta.dirname, '../..')

type Installation = {
  origin: string
  setupLink: string
  mailTo: (to: string, subject: RegExp) => Promise<string>
  admin: (...args: string[]) => string
}

async function startMail() {
  const mails: { to: string; subject: string; text: string }[] = []
  const server = new SMTPServer({
    authOptional: true,
    disabledCommands: ['STARTTLS'],
    onData: (stream, session, done) => {
      PostalMime.parse(stream as never).then(({ subject, text }) => {
        for (const { address: to } of session.envelope.rcptTo)
          mails.push({ to, subject: subject ?? '', text: text ?? '' })
        done()
      }, done)
    },
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const find = (to: string, subject: RegExp) => mails.findLast((mail) => mail.to === to && subject.test(mail.subject))
  return {
    url: `smtp://127.0.0.1:${(server.server.address() as AddressInfo).port}`,
    async mailTo(to: string, subject: RegExp): Promise<string> {
      await expect.poll(() => find(to, subject)?.subject, { message: `a mail to ${to}` }).toBeTruthy()
      const { subject: line, text } = find(to, subject)!
      return `${line}\n${text}`
    },
    close: () => server.close(),
  }
}

const run = (script: string, env: NodeJS.ProcessEnv, args: string[] = []): string =>
  execFileSync(process.execPath, [path.join(root, script), ...args], { cwd: root, env, encoding: 'utf8' })

/** Ends with the test. */
async function install(whenDone: (() => void | Promise<void>)[]): Promise<Installation> {
  const database = `first_day_${randomBytes(4).toString('hex')}`
  const owner = new pg.Client({ connectionString: stack().database_url })
  await owner.connect()
  await owner.query(`CREATE DATABASE ${database}`)
  whenDone.push(async () => {
    await owner.query(`DROP DATABASE IF EXISTS ${database} WITH (FORCE)`)
    await owner.end()
  })
  const mail = await startMail()
  whenDone.push(mail.close)
  const key = `0x${randomBytes(32).toString('hex')}` as const
  await chain('anvil_setBalance', [privateKeyToAddress(key), '0x8ac7230489e80000'])
  const [port, url] = [await freePort(), new URL(stack().database_url)]
  url.pathname = `/${database}`
  const env: NodeJS.ProcessEnv = {
    ...Object.fromEntries(['PATH', 'HOME', 'NODE_COMPILE_CACHE'].map((name) => [name, process.env[name]])),
    NODE_ENV: 'production',
    PORT: String(port),
    ORIGIN: `http://localhost:${port}`,
    DATABASE_URL: url.href,
    SERVER_KEY: randomBytes(32).toString('hex'),
    NEXTAUTH_SECRET: randomBytes(32).toString('hex'),
    RPC_URLS: `${stack().chain_id}=${stack().rpc_url}`,
    OPERATOR_KEYS: key,
    SMTP_URL: mail.url,
    MEDIA_DIR: path.join(root, '.test', database),
  }
  run('scripts/migrate.ts', env)
  env.CONTRACTS = /^CONTRACTS=(.*)$/m.exec(run('scripts/deploy-contracts.ts', env))![1]!

  let output = ''
  for (const script of ['scripts/web.ts', 'scripts/worker.ts']) {
    const child: ChildProcess = spawn(process.execPath, [path.join(root, script)], { cwd: root, env })
    for (const stream of [child.stdout!, child.stderr!]) stream.on('data', (chunk: Buffer) => (output += String(chunk)))
    whenDone.unshift(() => void child.kill('SIGKILL'))
  }
  const link = () => /https?:\/\/\S+\/sign-in\/setup#\S+/.exec(output)?.[0]
  await expect.poll(link, { message: 'a printed setup link', timeout: 60_000 }).toBeTruthy()
  const admin = (...args: string[]) => run('scripts/admin.ts', env, args)
  return { origin: env.ORIGIN!, setupLink: link()!, mailTo: mail.mailTo, admin }
}

test('from the setup link to a delivered gift: a fresh installation needs nothing else', async ({ page }) => {
  test.setTimeout(240_000)
  const whenDone: (() => void | Promise<void>)[] = []
  try {
    const { origin, setupLink, mailTo, admin } = await install(whenDone)
    await page.goto(`${origin}/sign-in`)
    await expect(page.getByText('This installation isn’t set up yet')).toBeVisible()

    await page.goto(setupLink)
    await expectAccessible(page)
    expect(page.url()).not.toContain('#')
    await page.getByRole('button', { name: 'Set it up' }).click()
    await expect(page.getByText('Some fields need another look.')).toBeVisible()
    await page.getByLabel('Name of the organization').fill('The River Society')
    await page.getByLabel('Your email').fill('ada@example.com')
    await page.getByRole('button', { name: 'Set it up' }).click()
    await expect(page).toHaveURL(`${origin}/dashboard`)
    await expect(page.getByRole('heading', { name: 'Your first gift' })).toBeVisible()
    await expect(page.getByText('Cards are taken on test networks only')).toBeVisible()
    await expectAccessible(page)

    await page.getByLabel('Name').fill('River birds')
    await page.getByRole('button', { name: 'Make the collection' }).click()
    await page.getByLabel('Title').fill('The night heron')
    await expectAccessible(page)

    admin('maintenance', 'on')
    await expect.poll(async () => (await page.request.post(`${origin}/public/v1/purchase-intents`)).status()).toBe(503)
    await page.getByRole('button', { name: 'Make the item' }).click()
    await expect(page.getByText('We are doing maintenance. Nothing was changed.')).toBeVisible()
    await expect(page.getByLabel('Title')).toHaveValue('The night heron')
    admin('maintenance', 'off')
    await expect(async () => {
      await page.getByRole('button', { name: 'Make the item' }).click()
      await expect(page.getByText('The item “The night heron”')).toBeVisible({ timeout: 3_000 })
    }).toPass()

    await page.getByLabel('Email', { exact: true }).fill('grace@example.com')
    await page.getByRole('button', { name: 'Send it' }).click()
    await expect(page.getByText('Sent to grace@example.com')).toBeVisible()
    const claimLink = /https?:\/\/\S+\/claim\/[\w-]+/.exec(await mailTo('grace@example.com', /./))![0]

    const recipient = await page.context().newPage()
    await recipient.goto(claimLink)
    await recipient.getByRole('button', { name: 'Send me my PIN' }).click()
    const pin = /\b\d{6}\b/.exec(await mailTo('grace@example.com', /^\d{6}/))![0]
    await recipient.getByLabel('PIN', { exact: true }).fill(pin)
    await recipient.getByRole('button', { name: 'Continue' }).click()
    await recipient.getByRole('button', { name: /Paste an address/ }).click()
    await recipient.getByLabel('Address', { exact: true }).fill('0x70997970C51812dc3A010C7d01b50e0d17dc79C8')
    await recipient.getByRole('button', { name: 'Send it there' }).click()
    await expect(recipient.getByRole('heading', { name: 'The night heron is yours' })).toBeVisible({ timeout: 60_000 })
    await recipient.close()
    await expect(page.getByRole('heading', { name: 'Your first gift' })).toBeHidden()

    await page.goto(setupLink)
    await expect(page.getByRole('heading', { name: 'This installation is set up' })).toBeVisible()
    expect(admin('list')).toContain('1 members  The River Society')
  } finally {
    for (const end of whenDone) await end()
  }
})
