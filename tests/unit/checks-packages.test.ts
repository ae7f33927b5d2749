import fs from 'node:fs'
import path from 'node:path'
import { expect, test } from 'vitest'

const root = path.resolve(import.meta.dirname, '../..')
const read = (file: string) => fs.readFileSync(path.join(root, file), 'utf8')
const names = Object.keys(
  (JSON.parse(read('packages/checks/package.json')) as { devDependencies: Record<string, string> }).devDependencies,
)
const { packages } = JSON.parse(read('package-lock.json')) as { packages: Record<string, { link?: boolean }> }
const filesIn = (pattern: string) => fs.globSync(pattern, { cwd: root, exclude: ['contracts/{bench,out,cache}/**'] })

test('each package of the checks is named by a script, a test, a contract, a guide or a setting', () => {
  const places = [
    '*.{ts,mjs,toml,yaml}',
    '{scripts,tests}/**/*.{ts,mjs}',
    'contracts/**/*.sol',
    'docs/guides/*.md',
    'package.json',
  ]
  const text = places
    .flatMap(filesIn)
    .filter((file) => !['knip.config.ts', path.relative(root, import.meta.filename)].includes(file))
    .map(read)
    .join('\n')
  const isNamed = (name: string) => {
    const short = name
      .replace(/^@(?:types|foundry-rs)\//, '')
      .replace('@redocly/cli', 'redocly')
      .replace('oxlint-tsgolint', 'oxlint') // which starts it
      .replace('@openzeppelin/contracts', '@openzeppelin')
    return new RegExp(`(?<![\\w@/-])${short}(?![\\w-])`).test(text)
  }
  expect(names.filter((name) => !isNamed(name))).toEqual([])
})

test('what is built, deployed or started by npm run up imports no package of the checks', () => {
  const entries = [
    '{app,components,lib,packages}/**/*.{ts,tsx}',
    'scripts/{launcher,image,admin,doctor,restore}/**/*.{ts,mjs}',
    'scripts/{up,start,generate-client}.mjs',
    'scripts/{bundle-web,finish-build,escape-built-code,escape-code,compress-built-files}.ts',
    'scripts/{web,worker,migrate,upgrade,seed,deploy-contracts,verify,doctor,admin,backup,restore,make-env}.ts',
  ]
  // It is a check itself, and is run from a checkout.
  const files = entries.flatMap(filesIn).filter((file) => file !== path.join('scripts', 'image', 'check.ts'))
  const imported = files.flatMap((file) =>
    [...read(file).matchAll(/(?:from|import\(|require\(|resolve\() ?'((?:@[^'/]+\/)?[^'/.]+)[^']*'/g)].map(
      ([, name]) => ({ file, name: name! }),
    ),
  )
  expect(imported.length).toBeGreaterThan(1000)
  expect(imported.filter(({ name }) => names.includes(name))).toEqual([])
})

test('the packages of the checks are in node_modules of the root, where scripts and tests find them', () => {
  expect(names.filter((name) => !(`node_modules/${name}` in packages))).toEqual([])
  expect(Object.keys(packages).filter((place) => place.startsWith('packages/checks/node_modules/'))).toEqual([])
})

test('npm takes our stand-ins for the packages that they are named for', () => {
  const stood = filesIn('packages/stand-ins/*/package.json').map(
    (file) => (JSON.parse(read(file)) as { name: string }).name,
  )
  expect(stood.length).toBeGreaterThan(0)
  const real = Object.entries(packages).filter(
    ([place, { link }]) => stood.some((name) => place.endsWith(`node_modules/${name}`)) && !link,
  )
  expect(real.map(([place]) => place)).toEqual([])
})
