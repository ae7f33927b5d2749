import { spawn } from 'node:child_process'
import fs from 'node:fs'
import { createServer, type Server, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import path from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { faultsOf, type Lock } from '../../scripts/dependencies/check-lock.ts'

const root = path.resolve(import.meta.dirname, '../..')
const sha512 = `sha512-${'A'.repeat(86)}==`
const good = { version: '1.0.0', integrity: sha512, license: 'MIT' }
/** The faults of a lock file with one package, which differs from a good one by `more`. */
const faults = (more: object, place = 'node_modules/example') =>
  faultsOf({ lockfileVersion: 3, packages: { '': {}, [place]: { ...good, ...more } } })

test('every package of the lock file has its integrity, a listed licence and no known vulnerability', () => {
  const lock = JSON.parse(fs.readFileSync(path.join(root, 'package-lock.json'), 'utf8')) as Lock
  expect(Object.keys(lock.packages).length).toBeGreaterThan(1000)
  expect(faultsOf(lock)).toEqual([])
})

test('a package without SHA-512 integrity is refused', () => {
  expect(faults({})).toEqual([])
  for (const integrity of [undefined, '', 'sha1-2jmj7l5rSw0yVb/vlWAYkK/YBwk='])
    expect(faults({ integrity })).toEqual(['example 1.0.0 has no SHA-512 integrity.'])
})

test('the integrity of a package in a bundle is that of its bundle', () => {
  const bundled = { version: '1.0.0', license: 'MIT', inBundle: true }
  const inside = (bundle: object) => ({
    lockfileVersion: 3,
    packages: { 'node_modules/bundle': bundle, 'node_modules/bundle/node_modules/inside': bundled },
  })
  expect(faultsOf(inside(good))).toEqual([])
  expect(faultsOf(inside({ ...good, integrity: 'sha1-2jmj7l5rSw0yVb' }))).toHaveLength(2)
  expect(faults({ ...bundled, integrity: undefined })).toHaveLength(1)
})

test('a package from a repository, an archive elsewhere or a folder is refused', () => {
  for (const resolved of [
    'git+ssh://git@github.com/somebody/example.git#0123456',
    'https://registry.npmjs.org.attacker.example/example-1.0.0.tgz',
    'http://registry.npmjs.org/example/-/example-1.0.0.tgz',
    'file:../example',
  ])
    expect(faults({ resolved })).toEqual([`example 1.0.0 comes from ${resolved}, not from the registry.`])
  expect(faults({ link: true })).toHaveLength(1)
  expect(faults({ resolved: 'https://registry.npmjs.org/example/-/example-1.0.0.tgz' })).toEqual([])
})

test('workspaces are our own, and folders that aren’t workspaces are not', () => {
  const withLink = (resolved: string) =>
    faultsOf({
      lockfileVersion: 3,
      packages: {
        '': { workspaces: ['packages/checks'] },
        'node_modules/checks': { resolved, link: true },
        'packages/checks': { version: '1.0.0' },
        'packages/checks/node_modules/example': good,
      },
    })
  expect(withLink('packages/checks')).toEqual([])
  expect(withLink('packages/other')).toHaveLength(3) // neither from the registry, nor with integrity, nor licensed
})

test('of alternative licences one must be listed, of licences that apply together all', () => {
  for (const license of ['MIT', '(MIT OR GPL-3.0-only)', 'Apache-2.0 AND LGPL-3.0-or-later AND MIT'])
    expect(faults({ license })).toEqual([])
  for (const license of [undefined, '', 'GPL-3.0-only', 'MIT AND GPL-3.0-only', 'UNLICENSED', 'constructor'])
    expect(faults({ license })).toHaveLength(1)
})

test('an unusual licence is accepted as it was read, and not another one of the same package', () => {
  expect(faults({ license: 'SIL OPEN FONT LICENSE' }, 'node_modules/geist')).toEqual([])
  expect(faults({ license: 'Commercial' }, 'node_modules/geist')).toHaveLength(1)
})

test('a vulnerable version is found wherever it is nested, up to the version that mends it', () => {
  const at = (version: string, place: string) => faults({ version }, place)
  const nested = 'node_modules/next-auth/node_modules/nodemailer'
  for (const version of ['6.9.14', '7.0.13', '9.0.0', '9.0.1-beta.1'])
    expect(at(version, nested)).toEqual([expect.stringContaining('GHSA-p6gq-j5cr-w38f')])
  for (const version of ['9.0.1', '9.1.1', '10.0.0']) expect(at(version, nested)).toEqual([])
  expect(at('8.4.0', 'node_modules/undici')).toHaveLength(1)
  expect(at('6.28.0', 'node_modules/undici')).toEqual([])
  expect(at('0.30.4', 'node_modules/axios')).toHaveLength(1)
  expect(at('0.30.3', 'node_modules/axios')).toEqual([])
  expect(at('7.0.13', 'node_modules/@types/nodemailer')).toEqual([])
})

/** Runs `npm run audit` against a registry that answers so. */
async function audit(
  answer: (response: ServerResponse, method: string) => void,
): Promise<{ code: number | null; output: string }> {
  const registry: Server = createServer((request, response) => {
    request.resume()
    request.on('end', () => answer(response, request.method!))
  })
  await new Promise<void>((resolve) => registry.listen(0, '127.0.0.1', resolve))
  onTestFinished(() => void registry.close())
  const { port } = registry.address() as AddressInfo
  const child = spawn(process.execPath, ['scripts/audit.ts'], {
    cwd: root,
    env: { ...process.env, npm_config_registry: `http://127.0.0.1:${port}/` },
    stdio: ['ignore', 'pipe', 'ignore'],
  })
  let output = ''
  child.stdout.on('data', (chunk: Buffer) => (output += chunk.toString()))
  const code = await new Promise<number | null>((resolve) => child.once('close', resolve))
  return { code, output }
}

test('an audit says that the registry did not answer, and does not end as if it had', async () => {
  for (const status of [405, 503]) {
    const { code, output } = await audit((response) => response.writeHead(status).end())
    expect(output).toContain('The registry did not answer, so only the lists were checked.')
    expect(code).toBe(2)
  }
  const hangsUp = await audit((response) => void response.destroy())
  expect([hangsUp.code, hangsUp.output]).toEqual([2, expect.stringContaining('The registry did not answer')])
})

test('an audit passes when the registry knows of nothing, and fails when it does', async () => {
  /** Advisories by package; about any package it says that it has one version. */
  const knows = (advisories: object) => (response: ServerResponse, method: string) => {
    const about = { name: 'mustache', versions: { '4.2.0': { name: 'mustache', version: '4.2.0' } } }
    response.writeHead(200, { 'content-type': 'application/json' })
    response.end(JSON.stringify(method === 'POST' ? advisories : about))
  }
  const clean = await audit(knows({}))
  expect([clean.code, clean.output]).toEqual([0, expect.stringContaining('knows of no vulnerability')])
  const advisory = {
    id: 1,
    url: 'https://github.com/advisories/GHSA-0000-0000-0000',
    title: 'Anyone reads anything',
    severity: 'high',
    vulnerable_versions: '>=0',
  }
  const found = await audit(knows({ mustache: [advisory] }))
  expect(found.output).toContain('✗ mustache (high): Anyone reads anything')
  expect(found.code).toBe(1)
})
