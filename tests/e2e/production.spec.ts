import { type ChildProcess, spawn, spawnSync } from 'node:child_process'
import fs from 'node:fs'
import path from 'node:path'
import { parseEnv } from 'node:util'
import { type Needs, startNeeds } from '../../scripts/first-day/needs.ts'
import { expectDelivered, makeGifts, redeem, setUp } from '../../scripts/first-day/story.ts'
import { freePort } from '../../scripts/launcher/ports.ts'
import { stopChild } from '../../scripts/launcher/processes.ts'
import { expect, test } from './support/test.ts'

const folder = path.resolve('.test/production')
/** The first block of commands in the README's section on production. */
const [, block = ''] = /\n## In production\n[^]*?```sh\n([^]*?)```/.exec(fs.readFileSync('README.md', 'utf8')) ?? []
const commands = block
  .split('\n')
  .map((line) => line.replace(/#.*/, '').trim())
  .filter(Boolean)

let needs: Needs
const processes: ChildProcess[] = []
test.beforeAll(async () => {
  fs.rmSync(folder, { recursive: true, force: true })
  fs.mkdirSync(folder, { recursive: true })
  needs = await startNeeds(folder)
})
test.afterAll(async () => {
  await Promise.all(processes.map((child) => stopChild(child, 'SIGTERM')))
  await needs.stop()
})

const split = (command: string): [string, string[]] => {
  const [program, ...args] = command.split(' ')
  return [program!, args]
}

/** Runs a command of the README to its end and gives what it prints. */
function run(command: string, env: NodeJS.ProcessEnv): string {
  const { status, stdout, stderr } = spawnSync(...split(command), { env, encoding: 'utf8' })
  expect(status, `${command}\n${stdout}${stderr}`).toBe(0)
  return stdout
}

function start(command: string, env: NodeJS.ProcessEnv): { output: () => string } {
  const child = spawn(...split(command), { env, stdio: ['ignore', 'pipe', 'pipe'] })
  processes.push(child)
  let output = ''
  for (const stream of [child.stdout, child.stderr]) stream.on('data', (chunk: Buffer) => (output += chunk.toString()))
  return { output: () => output }
}

test('the commands of the README lead from an empty database to a delivered claim', async () => {
  test.setTimeout(240_000)
  const port = await freePort()
  const origin = `http://127.0.0.1:${port}`
  const steps = [
    'npm install --omit=dev',
    'npm run build',
    'npm run make-env',
    'npm run migrate',
    'npm run deploy-contracts',
    'npm start',
    'npm run worker',
  ]
  expect(commands.map((command) => command.split(' -- ')[0])).toEqual(steps)
  // The first two were run by whoever runs this test: packages are installed, pages built.
  const bare = { PATH: process.env.PATH, HOME: process.env.HOME, NODE_ENV: 'production' as const }

  const made = run(`npm run make-env -- --origin ${origin} --to ${folder}`, bare)
  await needs.fund(/0x[0-9a-fA-F]{40}/.exec(made)![0])
  const written = parseEnv(fs.readFileSync(path.join(folder, 'vitrine.env'), 'utf8'))
  const env: NodeJS.ProcessEnv = {
    ...bare,
    ...written,
    DATABASE_URL: written.DATABASE_URL!.replace('@postgres:5432', `@${new URL(needs.ownerUrl).host}`),
    RPC_URLS: needs.rpcUrls,
    SMTP_URL: needs.smtpUrl,
    PORT: String(port),
  }
  run('npm run migrate', { ...env, MIGRATE_DATABASE_URL: needs.ownerUrl })
  env.CONTRACTS = /^CONTRACTS=(.*)$/m.exec(run('npm run deploy-contracts', env))![1]

  const web = start('npm start', env)
  start('npm run worker', env)
  let link = ''
  const findLink = () => (link = /https?:\/\/\S*setup\S*/.exec(web.output())?.[0] ?? '')
  await expect.poll(findLink, { message: `the setup link in what web prints` }).not.toBe('')
  const place = { origin, mailFolder: needs.mailFolder }
  const gifts = await makeGifts(await setUp(place, link), 1)
  await redeem(place, gifts[0]!)
  await expectDelivered(place, gifts)
  expect((await fetch(`${origin}/dev/mail`)).status).toBe(404)
})
