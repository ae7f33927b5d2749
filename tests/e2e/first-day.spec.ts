import { type ChildProcess, spawn, spawnSync } from 'node:child_process'
import fs from 'node:fs'
import path from 'node:path'
import { parseEnv } from 'node:util'
import { expect, test } from '@playwright/test'
import { listInboxMail } from '../../lib/ports/mail/inbox.ts'
import { startNeeds } from '../../scripts/first-day/needs.ts'
import { freePort } from '../../scripts/launcher/ports.ts'
import { expectAccessible } from './support/axe.ts'

// A fresh installation beside the sandbox, made by the commands that docs/guides/start-operator.md shows: an empty
// database, none of the sandbox's settings.
const folder = path.resolve('.test/first-day')
const guide = fs.readFileSync('docs/guides/start-operator.md', 'utf8')
const [, block = ''] = /\n## An installation of your own\n[^]*?```sh\n([^]*?)```/.exec(guide) ?? []
const commands = block
  .split('\n')
  .map((line) => line.replace(/#.*/, '').trim())
  .filter(Boolean)
/** The first two were run by whoever runs this test: packages are installed, pages are built. */
const COMMANDS = [
  'npm install --omit=dev',
  'npm run build',
  'npm run make-env',
  'npm run migrate',
  'npm run deploy-contracts',
  'npm start',
  'npm run worker',
]

type Installation = {
  origin: string
  setupLink: string
  mailTo: (to: string, subject: RegExp) => Promise<string>
  admin: (...args: string[]) => string
}

const split = (command: string): [string, string[]] => {
  const [program, ...args] = command.split(' ')
  return [program!, args]
}

/** Runs a command to its end and gives what it prints. */
function run(command: string, env: NodeJS.ProcessEnv): string {
  const { status, stdout, stderr } = spawnSync(...split(command), { env, encoding: 'utf8' })
  expect(status, `${command}\n${stdout}${stderr}`).toBe(0)
  return stdout
}

/** Ends npm and what it runs, which a signal to npm alone leaves running. */
async function stopGroup(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return
  const gone = new Promise((resolve) => child.once('exit', resolve))
  process.kill(-child.pid!, 'SIGTERM')
  await gone
}

/** Ends with the test. */
async function install(whenDone: (() => unknown)[]): Promise<Installation> {
  expect(commands.map((command) => command.split(' -- ')[0])).toEqual(COMMANDS)
  fs.rmSync(folder, { recursive: true, force: true })
  fs.mkdirSync(folder, { recursive: true })
  const needs = await startNeeds(folder)
  whenDone.push(() => needs.stop())

  const bare = Object.fromEntries(['PATH', 'HOME', 'NODE_COMPILE_CACHE'].map((name) => [name, process.env[name]]))
  const port = await freePort()
  const origin = `http://localhost:${port}`
  const made = run(`npm run make-env -- --origin ${origin} --to ${folder}`, { ...bare, NODE_ENV: 'production' })
  await needs.fund(/0x[0-9a-fA-F]{40}/.exec(made)![0])
  const written = parseEnv(fs.readFileSync(path.join(folder, 'vitrine.env'), 'utf8'))
  const env: NodeJS.ProcessEnv = {
    ...bare,
    ...written,
    NODE_ENV: 'production',
    DATABASE_URL: written.DATABASE_URL!.replace('@postgres:5432', `@${new URL(needs.ownerUrl).host}`),
    RPC_URLS: needs.rpcUrls,
    SMTP_URL: needs.smtpUrl,
    PORT: String(port),
    MEDIA_DIR: path.join(folder, 'media'),
  }
  run('npm run migrate', { ...env, MIGRATE_DATABASE_URL: needs.ownerUrl })
  env.CONTRACTS = /^CONTRACTS=(.*)$/m.exec(run('npm run deploy-contracts', env))![1]

  let output = ''
  for (const command of ['npm start', 'npm run worker']) {
    const child: ChildProcess = spawn(...split(command), { env, stdio: ['ignore', 'pipe', 'pipe'], detached: true })
    for (const stream of [child.stdout!, child.stderr!]) stream.on('data', (chunk: Buffer) => (output += String(chunk)))
    whenDone.push(() => stopGroup(child))
  }
  const link = () => /https?:\/\/\S+\/sign-in\/setup#\S+/.exec(output)?.[0]
  await expect.poll(link, { message: 'a printed setup link', timeout: 60_000 }).toBeTruthy()
  return {
    origin,
    setupLink: link()!,
    admin: (...args) => run(`npm run admin -- ${args.join(' ')}`, env),
    async mailTo(to, subject) {
      const find = async () =>
        (await listInboxMail(needs.mailFolder, { to })).find((mail) => subject.test(mail.subject)) ?? null
      await expect.poll(async () => (await find())?.subject, { message: `a mail to ${to}` }).toBeTruthy()
      const mail = (await find())!
      return `${mail.subject}\n${mail.text}`
    },
  }
}

test('the guide’s commands and the setup link lead from an empty database to a delivered gift', async ({ page }) => {
  test.setTimeout(240_000)
  const whenDone: (() => unknown)[] = []
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
    const confirm = async (name: string) => {
      await page.getByRole('button', { name }).click()
      await page.getByRole('dialog').getByRole('button', { name }).click()
    }
    await confirm('Create the collection')
    await page.getByLabel('Title').fill('The night heron')
    await expectAccessible(page)

    admin('maintenance', 'on')
    await expect.poll(async () => (await page.request.post(`${origin}/public/v1/purchase-intents`)).status()).toBe(503)
    await confirm('Create the item')
    await expect(page.getByText('We are doing maintenance. Nothing was changed.')).toBeVisible()
    await expect(page.getByLabel('Title')).toHaveValue('The night heron')
    admin('maintenance', 'off')
    await expect(async () => {
      await confirm('Create the item')
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
    await recipient.getByRole('button', { name: /Paste an address/ }).click()
    await recipient.getByLabel('Address', { exact: true }).fill('0x70997970C51812dc3A010C7d01b50e0d17dc79C8')
    await recipient.getByRole('button', { name: 'Send it there' }).click()
    await expect(recipient.getByRole('heading', { name: 'The night heron is yours' })).toBeVisible({ timeout: 60_000 })
    await recipient.close()
    await expect(page.getByRole('heading', { name: 'Your first gift' })).toBeHidden()

    await page.goto(setupLink)
    await expect(page.getByRole('heading', { name: 'This installation is set up' })).toBeVisible()
    expect((await page.request.get(`${origin}/dev/mail`)).status()).toBe(404)
    expect(admin('list')).toContain('1 members  The River Society')
  } finally {
    for (const end of whenDone.reverse()) await end()
  }
})
