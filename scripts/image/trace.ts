import fs from 'node:fs'
import { createRequire, stripTypeScriptTypes } from 'node:module'
import path from 'node:path'
import { fileURLToPath } from 'node:url'
import { limitConcurrency } from '../../lib/core/limit-concurrency.ts'
import { GUIDE_PAGES } from '../../lib/platform/guides/pages.ts'

type Resolve = (name: string, parent: string, job: unknown, isRequire: boolean) => Promise<string | string[]>
type Options = {
  base: string
  ignore: string[]
  resolve: Resolve
  readFile: (file: string) => Promise<Buffer | string | null>
}
type Tracer = {
  nodeFileTrace: (files: string[], options: Options) => Promise<{ fileList: Set<string> }>
  resolve: Resolve
}

/** The tracer that the build itself uses: it follows imports and finds the files that a package reads at run time. */
const { nodeFileTrace, resolve } = createRequire(import.meta.url)('next/dist/compiled/@vercel/nft') as Tracer

/**
 * The tracer prefers a package's `module-sync` file, which one of them names without having it. Node.js takes what is
 * named first.
 */
const resolveAsNode: Resolve = async (name, parent, job, isRequire) => {
  try {
    return await resolve(name, parent, job, isRequire)
  } catch (error) {
    const found = /^[@\w]/.test(name) && URL.parse(import.meta.resolve(name))
    if (!found || found.protocol !== 'file:' || !fs.existsSync(found)) throw error
    return fileURLToPath(found)
  }
}

/** Copied whole, beside what is imported. */
export const WHOLE = [
  'LICENSE',
  ...GUIDE_PAGES.map(({ file }) => file), // lib/platform/guides reads them
  'messages', // lib/messaging/templates reads them
  'next.config.mjs',
  'package.json',
  'public',
  'prisma/migrations',
  'prisma/releases.json',
  'prisma/settle',
  'node_modules/swagger-ui-dist/swagger-ui-bundle.js', // app/docs/reference.js reads it
  'node_modules/swagger-ui-dist/swagger-ui.css', // app/docs/reference.css, likewise
  // Next's server resolves these before it reads its settings.
  'node_modules/next/dist/compiled/@babel',
  'node_modules/next/dist/compiled/webpack',
]
/** Of packages: what only compilers and editors read, and the Node.js that the image has already. */
const NOT_NEEDED = ['**/*.d.ts', '**/*.map', 'node_modules/typescript/**', 'node_modules/node/**']
/** scripts/app-imports.ts may name any file of the checkout. These and what they import don't run in production. */
const NOT_PRODUCTION = ['tests/**', 'packages/**', '*.config.ts']
/** Of our own: programs. Tests, documents and the sources of pages are named in code too. */
const OWN = ['generated/**', 'lib/**', 'scripts/**']

/** The commands of production: what package.json starts with the settings of an .env file. */
function programs(root: string): string[] {
  const { scripts } = JSON.parse(fs.readFileSync(path.join(root, 'package.json'), 'utf8')) as {
    scripts: Record<string, string>
  }
  return Object.values(scripts).flatMap(
    (line) => /^node --env-file-if-exists=\.env (?:--\S+ )*(scripts\/\S+\.m?[jt]s)$/.exec(line)?.[1] ?? [],
  )
}

/** The packages that the build left out of its bundles. It links each under a name of its own. */
function leftOut(root: string): string[] {
  const links = fs.globSync('.next/node_modules/{*,@*/*}', { cwd: root }).map((link) => path.join(root, link))
  const packages = links.filter((link) => fs.lstatSync(link).isSymbolicLink()).map((link) => fs.realpathSync(link))
  const { resolve: entryOf } = createRequire(path.join(root, 'package.json'))
  return packages.map((folder) => entryOf(path.relative(path.join(root, 'node_modules'), folder)))
}

/** The files that the pages read beside their bundles, as the build traced them. */
function ofPages(root: string): string[] {
  const inside = path.join(root, '.next')
  return fs.globSync('.next/**/*.nft.json', { cwd: root }).flatMap((trace) => {
    const { files } = JSON.parse(fs.readFileSync(path.join(root, trace), 'utf8')) as { files: string[] }
    const all = files.map((file) => path.resolve(root, path.dirname(trace), file))
    return all.filter((file) => !file.startsWith(inside)).map((file) => path.relative(root, file))
  })
}

/**
 * A process may have only so many files open, and a file that can't be read for that reason must not count as missing.
 */
const oneOfFew = limitConcurrency(64)
const nullWhereNone = (error: NodeJS.ErrnoException): null => {
  if (['ENOENT', 'EISDIR', 'ENOTDIR'].includes(error.code ?? '')) return null
  throw error
}

/** The files, relative to the checkout, that the programs of production and the built pages of `.next` need. */
export async function traceProduction(root: string): Promise<string[]> {
  // Threads are started by their paths.
  const threads = ['lib/catalog/item-types/schema-thread.ts', 'lib/messaging/templates/template-thread.ts']
  const started = ['scripts/web.ts', 'scripts/image/run.mjs', 'scripts/image/health.ts', 'next.config.mjs', ...threads]
  const entries = [...programs(root), ...started].map((file) => path.join(root, file))
  const { fileList } = await nodeFileTrace([...entries, ...leftOut(root)], {
    base: root,
    ignore: ['.git/**', '.next/**', ...NOT_PRODUCTION, ...NOT_NEEDED],
    resolve: resolveAsNode,
    readFile: async (file) => {
      const text = await oneOfFew(() => fs.promises.readFile(file).catch(nullWhereNone))
      return text !== null && file.endsWith('.ts') ? stripTypeScriptTypes(text.toString('utf8')) : text
    },
  })
  const needed = new Set([...fileList, ...ofPages(root)])
  const isNeeded = (file: string): boolean =>
    !NOT_NEEDED.some((pattern) => path.matchesGlob(file, pattern)) &&
    (file.startsWith('node_modules/') || OWN.some((pattern) => path.matchesGlob(file, pattern)))
  return [...needed].filter((file) => isNeeded(file) && fs.existsSync(path.join(root, file))).sort()
}
