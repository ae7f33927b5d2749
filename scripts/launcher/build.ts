import { spawnSync } from 'node:child_process'
import { createHash } from 'node:crypto'
import fs from 'node:fs'
import path from 'node:path'
import { acquireLock } from './file-lock.mjs'
import { runToEnd } from './processes.ts'

// The files that a build depends on.
const SOURCES = [
  'app',
  'components',
  'lib',
  'messages',
  'packages/client/src',
  'public',
  'scripts/bundle-parts.ts',
  'scripts/bundle-web.ts',
  'scripts/compress-built-files.ts',
  'scripts/escape-built-code.ts',
  'scripts/escape-code.ts',
  'scripts/finish-build.ts',
  'scripts/launcher/stop-on-signal.ts',
  'scripts/web.ts',
  'prisma/schema.prisma',
  'next.config.mjs',
  'postcss.config.mjs',
  'tsconfig.json',
  'package-lock.json',
]

const stampOf = (root: string): string => path.join(root, '.next/vitrine-sources')

/** Whether the last build was made from exactly the current sources. */
export const isBuilt = (root: string): boolean =>
  fs.existsSync(stampOf(root)) && fs.readFileSync(stampOf(root), 'utf8') === hashOfSources(root)

export async function buildPages(root: string): Promise<void> {
  const release = await acquireLock(path.join(root, 'node_modules/.vitrine-build'))
  try {
    if (isBuilt(root)) return // another launcher has just done it
    const sources = hashOfSources(root)
    // The settings of this run must not influence the build, which is shared by all ports.
    const settings = ['PORT', 'ORIGIN', 'DATABASE_URL', 'MIGRATE_DATABASE_URL', 'VITRINE_SANDBOX', 'NEXTAUTH_URL']
    const inherited = Object.entries(process.env).filter(([name]) => !settings.includes(name))
    const env = { ...Object.fromEntries(inherited), NODE_ENV: 'production' as const, NEXT_TELEMETRY_DISABLED: '1' }
    fs.rmSync(stampOf(root), { force: true })
    await runToEnd(
      'Building the pages',
      process.execPath,
      [path.join(root, 'node_modules/next/dist/bin/next'), 'build'],
      env,
      root,
    )
    await runToEnd('Finishing the build', process.execPath, [path.join(root, 'scripts/finish-build.ts')], env, root)
    fs.writeFileSync(stampOf(root), sources)
  } finally {
    release()
  }
}

function hashOfSources(root: string): string {
  const hash = createHash('sha256')
  for (const file of filesOf(root).sort())
    hash
      .update(`${file}\0`)
      .update(fs.readFileSync(path.join(root, file)))
      .update('\0')
  return hash.digest('hex')
}

function filesOf(root: string): string[] {
  const listed = spawnSync('git', ['ls-files', '-co', '--exclude-standard', '-z', '--', ...SOURCES], {
    cwd: root,
    encoding: 'utf8',
    maxBuffer: 64e6,
  })
  if (listed.status === 0) return listed.stdout.split('\0').filter((file) => file && isFile(path.join(root, file)))
  // Not a git clone: all files count.
  return SOURCES.flatMap((source) => {
    const place = path.join(root, source)
    if (!fs.existsSync(place)) return []
    if (isFile(place)) return [source]
    const entries = fs.readdirSync(place, { recursive: true, encoding: 'utf8' })
    return entries.map((entry) => path.join(source, entry)).filter((file) => isFile(path.join(root, file)))
  })
}

const isFile = (file: string): boolean => fs.statSync(file, { throwIfNoEntry: false })?.isFile() ?? false
