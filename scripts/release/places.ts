import fs from 'node:fs'
import path from 'node:path'

/** Every `package.json` with a version of ours, from the root. Their texts and that of the lock file are JSON. */
export const packageFiles = (root: string): string[] => [
  'package.json',
  ...fs.globSync('packages/*/package.json', { cwd: root }).sort(),
]

/** Other files that name the version, as `1.0.0` or `1-0-0`, and no version of something else. */
export const TEXTS = [
  'lib/core/release.ts',
  'deploy/kubernetes/migrate.yaml',
  'deploy/kubernetes/web.yaml',
  'deploy/kubernetes/worker.yaml',
  'docs/deployment.md',
  'docs/guides/clients.md',
  'packages/client/README.md',
]

type Lock = { version: string; packages: Record<string, { version?: string }> }

/** The versions that the lock file has of our own packages. */
export const lockedVersions = (text: string): string[] => {
  const { version, packages } = JSON.parse(text) as Lock
  return [version, ...ownPackages(packages).map((one) => one.version!)]
}

const ownPackages = (packages: Lock['packages']) =>
  Object.entries(packages).flatMap(([name, one]) => (name.includes('node_modules') || !one.version ? [] : [one]))

const dashed = (version: string): string => version.replaceAll('.', '-')
const wordOf = (version: string): RegExp => new RegExp(`(?<![\\d.])${RegExp.escape(version)}(?![\\d-]|\\.\\d)`, 'g')

/** How often a text names a version. */
export const timesNamed = (text: string, version: string): number =>
  [version, dashed(version)].flatMap((word) => text.match(wordOf(word)) ?? []).length

/** A text with another version in place of the one that it names. */
const renamed = (text: string, before: string, after: string): string =>
  text.replace(wordOf(before), after).replace(wordOf(dashed(before)), dashed(after))

/** Writes a version wherever the files name the one before. */
export function writeVersion(root: string, before: string, after: string): void {
  const change = (file: string, to: (text: string) => string) =>
    fs.writeFileSync(path.join(root, file), to(fs.readFileSync(path.join(root, file), 'utf8')))
  const json = (text: string, edit: (value: Lock) => void): string => {
    const value = JSON.parse(text) as Lock
    edit(value)
    return `${JSON.stringify(value, null, 2)}\n`
  }
  for (const file of packageFiles(root))
    change(file, (text) =>
      json(text, (value) => {
        if (value.version) value.version = after
      }),
    )
  change('package-lock.json', (text) =>
    json(text, (lock) => {
      lock.version = after
      for (const one of ownPackages(lock.packages)) one.version = after
    }),
  )
  for (const file of TEXTS) change(file, (text) => renamed(text, before, after))
}
