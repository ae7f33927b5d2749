import fs from 'node:fs'
import path from 'node:path'

/** The `package.json` of all that has the version, from the root. */
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
  'docs/guides/card.md',
  'docs/guides/clients.md',
  'packages/client/README.md',
]

type Package = { version: string }
/** Its packages are named by their folders; the root’s is ''. */
type Lock = Package & { packages: Record<string, Package | undefined> }

/** The lock file has the root and its workspaces. */
const lockedPackages = (lock: Lock, root: string): Package[] => [
  lock,
  ...packageFiles(root).flatMap((file) => lock.packages[path.dirname(file).replace(/^\.$/, '')] ?? []),
]

/** The versions that the lock file has of our packages. */
export const lockedVersions = (root: string): string[] => {
  const lock = JSON.parse(fs.readFileSync(path.join(root, 'package-lock.json'), 'utf8')) as Lock
  return lockedPackages(lock, root).map(({ version }) => version)
}

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
  const changeJson = (file: string, packagesOf: (value: Lock) => Package[]) =>
    change(file, (text) => {
      const value = JSON.parse(text) as Lock
      for (const one of packagesOf(value)) one.version = after
      return `${JSON.stringify(value, null, 2)}\n`
    })
  for (const file of packageFiles(root)) changeJson(file, (one) => [one])
  changeJson('package-lock.json', (lock) => lockedPackages(lock, root))
  for (const file of TEXTS) change(file, (text) => renamed(text, before, after))
}
