// Part of `npm run build`: bundles the web process into .next/web. Node.js would keep the sources of all its modules in
// memory, and the compiler that takes out their types (docs/decisions/0068). The code stays readable, so that a stack
// trace names what it did.
import fs from 'node:fs'
import path from 'node:path'
import { rolldown } from 'rolldown'
import nextConfig from '../next.config.mjs'
import { isLeftOut, withOwnPlace } from './bundle-parts.ts'
import { routeFiles } from './route-files.ts'

const root = path.resolve(import.meta.dirname, '..')
const folder = path.join(root, '.next/web')
const { serverExternalPackages } = await nextConfig('phase-production-server')
// Packages that the pages load from node_modules as they are, are loaded so here as well: both share one copy of them.
const packages = ['next', 'next-auth', 'react', 'react-dom', ...serverExternalPackages!, ...(await leftOutByNext())]

fs.rmSync(folder, { recursive: true, force: true })
const bundle = await rolldown({
  input: path.join(root, 'scripts/web.ts'),
  cwd: root,
  platform: 'node',
  external: (name) => isLeftOut(name, packages),
  resolve: { alias: { '@': root } },
  plugins: [
    { name: 'route table', load: (id) => (id === path.join(root, 'scripts/route-table.ts') ? routeTable() : null) },
    { name: 'own place', transform: (code, id) => withOwnPlace(code, path.relative(root, path.dirname(id)), '../..') },
  ],
})
const { output } = await bundle.write({
  dir: folder,
  format: 'esm',
  entryFileNames: '[name].mjs',
  chunkFileNames: '[name]-[hash].mjs',
  comments: false,
})
await bundle.close()
console.log(`The web process is bundled into ${output.length} files.`)

/** The table of endpoints, with imports that a bundle follows. */
function routeTable(): string {
  const imports = routeFiles().map((file, at) => `import * as r${at} from ${JSON.stringify(file)}`)
  const handlers = `export const handlers = handlersOf([${imports.map((_, at) => `r${at}`).join()}])`
  return ["import { handlersOf } from './route-files.ts'", ...imports, handlers].join('\n')
}

/** Next has no list of them in JavaScript: it is JSON with comments, a package a line. */
async function leftOutByNext(): Promise<string[]> {
  const list = path.join(root, 'node_modules/next/dist/lib/server-external-packages.jsonc')
  const text = await fs.promises.readFile(list, 'utf8')
  return [...text.matchAll(/^ *"(.+)",?$/gm)].map(([, name]) => name!)
}
