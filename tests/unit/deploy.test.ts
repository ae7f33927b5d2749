import { spawnSync } from 'node:child_process'
import fs from 'node:fs'
import { createRequire } from 'node:module'
import os from 'node:os'
import path from 'node:path'
import { parseEnv } from 'node:util'
import { describe, expect, onTestFinished, test } from 'vitest'
import { parse, parseAllDocuments } from 'yaml'
import { envSchema } from '../../lib/core/env-schema.ts'
import { readEnv } from '../../lib/core/env.ts'
import { credentialsOf } from '../../lib/db/logins.ts'
import { startProblems } from '../../lib/ports/start-problems.ts'
import { WHOLE } from '../../scripts/image/trace.ts'

const require = createRequire(import.meta.url)
const root = path.resolve(import.meta.dirname, '../..')
const read = (file: string) => fs.readFileSync(path.join(root, file), 'utf8')

type Service = {
  image?: string
  command?: string[]
  env_file?: string
  environment?: Record<string, string>
  read_only?: boolean
  cap_drop?: string[]
  user?: string
}
const { services } = parse(read('compose.yaml'), { merge: true }) as { services: Record<string, Service> }
const { scripts } = JSON.parse(read('package.json')) as { scripts: Record<string, string> }
const isCommand = (name: string) =>
  scripts[name === 'web' ? 'start' : name]?.startsWith('node --env-file-if-exists=.env')

describe('compose.yaml', () => {
  const ours = Object.entries(services).filter(([name, { command }]) => command && name !== 'postgres')

  test('its services run commands that there are, with settings that there are', () => {
    expect(ours.map(([name]) => name).sort()).toEqual(['migrate', 'web', 'worker'])
    for (const [, { command, environment = {} }] of ours) {
      expect(isCommand(command![0]!), command![0]).toBe(true)
      for (const name of Object.keys(environment)) expect(Object.keys(envSchema.shape), name).toContain(name)
    }
  })

  test('they write to no file of the image and have no capability', () => {
    for (const [name, service] of ours) expect([service.read_only, service.cap_drop], name).toEqual([true, ['ALL']])
  })

  test('only the migration gets the login that owns the tables', () => {
    const owners = Object.entries(services).filter(([, each]) => JSON.stringify(each).includes('vitrine_owner:'))
    expect(owners.map(([name]) => name)).toEqual(['migrate'])
    expect(ours.every(([, { env_file }]) => env_file === 'vitrine.env')).toBe(true)
  })
})

describe('Kubernetes', () => {
  type Manifest = { apiVersion: string; kind: string; metadata: { name: string } }
  const manifests = fs
    .globSync('deploy/kubernetes/*.yaml', { cwd: root })
    .flatMap((file) => parseAllDocuments(read(file)).map((each) => each.toJS() as Manifest))

  test.each(manifests.map((each) => [`${each.kind} ${each.metadata.name}`, each] as const))(
    '%s is as its schema says',
    (_, manifest) => {
      const module = require(`kubernetes-models/${manifest.apiVersion}/${manifest.kind}`) as Record<
        string,
        new (data: object) => { validate: () => void }
      >
      new module[manifest.kind]!(manifest).validate()
      expect(() => new module[manifest.kind]!({ ...manifest, metadata: 'no object' }).validate()).toThrow()
    },
  )

  test('a worker that is asked over the network listens there', () => {
    const worker = read('deploy/kubernetes/worker.yaml')
    expect(worker).toContain('httpGet')
    expect(worker).toMatch(/name: WORKER_HEALTH_HOST, value: 0\.0\.0\.0/)
  })

  test('web, worker and migration are there, and run commands that there are', () => {
    const args = manifests.flatMap((each) =>
      [...JSON.stringify(each).matchAll(/"args":\["(\w+)"/g)].map(([, name]) => name!),
    )
    expect(args.sort()).toEqual(['migrate', 'web', 'worker'])
    expect(args.every(isCommand)).toBe(true)
  })
})

test('make-env writes settings that start, for their owner alone, and nothing beside a file that is there', () => {
  const folder = fs.mkdtempSync(path.join(os.tmpdir(), 'vitrine-make-env-'))
  onTestFinished(() => fs.rmSync(folder, { recursive: true }))
  const args = ['scripts/make-env.ts', '--origin', 'https://gifts.example.com', '--to', folder]
  const make = () => spawnSync(process.execPath, args, { cwd: root }).status
  fs.writeFileSync(path.join(folder, '.env'), 'MINE=1\n')
  expect([make(), fs.readdirSync(folder)]).toEqual([1, ['.env']])
  fs.rmSync(path.join(folder, '.env'))
  expect([make(), fs.readdirSync(folder).sort()]).toEqual([0, ['.env', 'vitrine.env']])
  expect(fs.statSync(path.join(folder, 'vitrine.env')).mode & 0o777).toBe(0o600)
  const made = parseEnv(fs.readFileSync(path.join(folder, 'vitrine.env'), 'utf8'))
  expect(Object.keys(envSchema.shape)).toEqual(expect.arrayContaining(Object.keys(made)))
  expect(startProblems(readEnv(made))).toEqual([])
  expect(credentialsOf(made.DATABASE_URL!).stem).toBe('vitrine_run')
})

test('a shell reads what make-env wrote into a new folder, and its quotes aren’t part of a setting', () => {
  const above = fs.mkdtempSync(path.join(os.tmpdir(), 'vitrine-make-env-'))
  onTestFinished(() => fs.rmSync(above, { recursive: true }))
  const file = path.join(above, 'etc', 'vitrine', 'vitrine.env')
  const args = ['scripts/make-env.ts', '--origin', 'https://gifts.example.com', '--to', path.dirname(file)]
  expect(spawnSync(process.execPath, args, { cwd: root }).status).toBe(0)
  const read = spawnSync('sh', ['-euc', 'set -a; . "$0"; env -0', file], {
    env: { NODE_ENV: 'test' },
    encoding: 'utf8',
  })
  const known = Object.fromEntries(read.stdout.split('\0').map((line) => line.split(/=(.*)/s).slice(0, 2)))
  expect(known).toMatchObject(parseEnv(fs.readFileSync(file, 'utf8')))
  expect(readEnv({ ...known, MAIL_FROM: `'${known.MAIL_FROM}'` }).MAIL_FROM).toBe('Vitrine <hello@gifts.example.com>')
})

test.each([
  ['https://gifts.example.com/', 'Give https://gifts.example.com\n'],
  ['http://gifts.example.com', 'Give https://gifts.example.com; a proxy may end TLS.\n'],
  ['gifts.example.com', 'It begins with https://'],
  ['localhost:3000', 'It begins with https://'],
])('make-env says what is wrong with %s', (origin, words) => {
  const made = spawnSync(process.execPath, ['scripts/make-env.ts', '--origin', origin], { cwd: root, encoding: 'utf8' })
  expect([made.status, made.stderr]).toEqual([1, expect.stringContaining(words)])
})

test('the image has the files that its programs read', () => {
  const named = fs
    .globSync('{lib,scripts}/**/*.ts', { cwd: root, exclude: ['scripts/image/**', 'scripts/launcher/**'] })
    .flatMap((file) => [...read(file).matchAll(/'(?:\.\.\/)*(prisma\/[\w.-]+)'/g)].map(([, name]) => name!))
  expect([...new Set(named)].sort()).toEqual(['prisma/migrations', 'prisma/releases.json', 'prisma/settle'])
  expect(WHOLE).toEqual(expect.arrayContaining(named))
})

test('every way to start the web process bounds its young objects alike', () => {
  const flag = '--max-semi-space-size=16'
  const starts = ['package.json', 'Dockerfile', 'deploy/systemd/vitrine-web.service', 'scripts/launcher/main.ts']
  starts.push('tests/bench/http/sides.ts') // what two processes are compared with
  for (const file of starts) expect(read(file), file).toContain(flag)
})

test('the systemd units start programs that there are, as a user without rights', () => {
  const units = fs.globSync('deploy/systemd/*.service', { cwd: root })
  expect(units).toHaveLength(3)
  for (const unit of units) {
    const text = read(unit)
    const program = /^ExecStart=\/opt\/vitrine\/node_modules\/\.bin\/node (\S+)$/m.exec(text)![1]!
    expect(fs.existsSync(path.join(root, program)), program).toBe(true)
    expect(text).toMatch(/^User=vitrine$/m)
    expect(text).toMatch(/^NoNewPrivileges=yes$/m)
  }
})
