// Part of `npm run build`: bundles the web process into .next/web. Node.js would keep the sources of all its modules in memory, and the
// compiler that takes out their types (docs/decisions/0068). The code stays readable, so that a stack trace names what it did.
import fs from 'node:fs'
import path from 'node:path'
import { rolldown } from 'rolldown'
import nextConfig from '../next.config.mjs'
import { isLeftOut, withOwnPlace } from './bundle-parts.ts'

const root = path.resolve(import.meta.dirname, '..')
const folder = path.join(root, '.next/web')
const { serverExternalPackages } = await nextConfig('phase-production-server')
// What the pages load from node_modules as it is, is loaded so here as well: both share one copy of it.
const packages = ['next', 'next-auth', 'react', 'react-dom', ...serverExternalPackages!, ...(await leftOutByNext())]

fs.rmSync(folder, { recursive: true, force: true })
const bundle = await rolldown({
  input: path.join(root, 'scripts/web.ts'),
  cwd: root,
  platform: 'node',
  external: (name) => isLeftOut(name, packages),
  plugins: [
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

/** Next has no list of them in JavaScript: it is JSON with comments, a package a line. */
async function leftOutByNext(): Promise<string[]> {
  const list = path.join(root, 'node_modules/next/dist/lib/server-external-packages.jsonc')
  const text = await fs.promises.readFile(list, 'utf8')
  return [...text.matchAll(/^ *"(.+)",?$/gm)].map(([, name]) => name!)
}
