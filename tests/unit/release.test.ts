import fs from 'node:fs'
import os from 'node:os'
import path from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { envSchema } from '../../lib/core/env-schema.ts'
import { RELEASE } from '../../lib/core/release.ts'
import releases from '../../prisma/releases.json' with { type: 'json' }
import { lockedVersions, packageFiles, TEXTS, timesNamed, writeVersion } from '../../scripts/release/places.ts'

const root = path.resolve(import.meta.dirname, '../..')
const read = (file: string, folder = root): string => fs.readFileSync(path.join(folder, file), 'utf8')

/** The versions that a checkout names, each with its place. */
function named(folder: string, version: string): [place: string, isNamed: boolean][] {
  const packages = packageFiles(folder).map((file): [string, boolean] => {
    const given = JSON.parse(read(file, folder)) as { version: string }
    return [file, given.version === version]
  })
  const locked = lockedVersions(folder).every((one) => one === version)
  const texts = TEXTS.map((file): [string, boolean] => [file, timesNamed(read(file, folder), version) > 0])
  return [...packages, ['package-lock.json', locked], ...texts]
}

const wrong = (folder: string, version: string) =>
  named(folder, version).flatMap(([place, isNamed]) => (isNamed ? [] : [place]))

test('every place that names the version names the same one', () => {
  expect(wrong(root, RELEASE)).toEqual([])
})

test('every document that names a built package or an image is one of these places', () => {
  const documents = fs
    .globSync(['*.{md,yaml}', '{docs,deploy}/**/*.{md,yaml}', 'packages/*/*.md'], { cwd: root })
    .filter((file) => /vitrine(?:-client-|:|-migrate-)\d+[-.]\d+[-.]\d/.test(read(file)))
  // It shows how a release is made, 1.0.0 for example.
  expect(documents.filter((file) => file !== 'docs/upgrades.md').sort()).toEqual(
    TEXTS.filter((file) => file !== 'lib/core/release.ts').sort(),
  )
})

test('a release writes its version in every place, and changes nothing else there', () => {
  const folder = fs.mkdtempSync(path.join(os.tmpdir(), 'vitrine-release-'))
  onTestFinished(() => fs.rmSync(folder, { recursive: true }))
  const files = [...packageFiles(root), 'package-lock.json', ...TEXTS]
  for (const file of files) fs.cpSync(path.join(root, file), path.join(folder, file))
  writeVersion(folder, RELEASE, '71.2.3')
  expect(wrong(folder, '71.2.3')).toEqual([])
  expect(TEXTS.filter((file) => timesNamed(read(file, folder), RELEASE) > 0)).toEqual([])
  writeVersion(folder, '71.2.3', RELEASE)
  for (const file of files) expect(read(file, folder), file).toBe(read(file))
})

test('every release has its page, its part of the changelog and what later versions are compared with', () => {
  const changelog = read('CHANGELOG.md')
  for (const { version } of releases) {
    expect(fs.existsSync(path.join(root, `docs/releases/${version}.md`)), version).toBe(true)
    expect(changelog).toMatch(new RegExp(`^## ${RegExp.escape(version)}( |$)`, 'm'))
    const kept = fs.readdirSync(path.join(root, 'tests/fixtures/releases', version))
    expect(kept).toEqual(
      expect.arrayContaining([
        'manifest.json',
        'openapi-admin.json.gz',
        'openapi-public.json.gz',
        'rows.gz',
        'settings.json',
      ]),
    )
  }
})

test.each(releases)('every setting of $version is still read', ({ version }) => {
  const settings = JSON.parse(read(`tests/fixtures/releases/${version}/settings.json`)) as string[]
  expect(settings.length).toBeGreaterThan(50)
  expect(settings.filter((name) => !(name in envSchema.shape))).toEqual([])
})

test('the changelog has at most 80 lines for a release', () => {
  const parts = read('CHANGELOG.md')
    .split(/^(?=## )/m)
    .slice(1)
  expect(parts.length).toBeGreaterThan(1)
  for (const part of parts) expect(part.trimEnd().split('\n').length, part.split('\n')[0]).toBeLessThanOrEqual(80)
})
