import fs from 'node:fs'
import { createRequire } from 'node:module'
import os from 'node:os'
import path from 'node:path'
import { getHeapStatistics, setFlagsFromString } from 'node:v8'
import vm from 'node:vm'
import { afterEach, expect, onTestFinished, test } from 'vitest'
import { releaseManifestContexts } from '../../lib/platform/http/page-manifests.ts'

const { runInNewContext } = vm
const { evalManifest } = createRequire(import.meta.url)('next/dist/server/load-manifest.external.js') as {
  evalManifest: (file: string, shouldCache: boolean, cache: Map<string, unknown>) => Record<string, unknown>
}

afterEach(() => {
  vm.runInNewContext = runInNewContext
})

const manifestOf = (page: string) =>
  `globalThis.__RSC_MANIFEST = globalThis.__RSC_MANIFEST || {};\nglobalThis.__RSC_MANIFEST["${page}"] = {"clientModules":{"a":[1]}};`

test('Next reads the same of a manifest, as objects of its own context', () => {
  releaseManifestContexts()
  const folder = fs.mkdtempSync(path.join(os.tmpdir(), 'vitrine-manifests-'))
  onTestFinished(() => fs.rmSync(folder, { recursive: true }))
  const file = path.join(folder, 'manifest.js')
  fs.writeFileSync(file, manifestOf('/page'))
  const found = evalManifest(file, true, new Map())
  const manifest = found.__RSC_MANIFEST as Record<string, object>
  expect(manifest).toEqual({ '/page': { clientModules: { a: [1] } } })
  expect(Object.getPrototypeOf(manifest)).toBe(Object.prototype)
  expect(Object.isFrozen(manifest)).toBe(true)
})

test('a manifest that is text, and one for a context that has some', () => {
  releaseManifestContexts()
  const text: Record<string, unknown> = {}
  vm.runInNewContext('globalThis.__RSC_SERVER_MANIFEST = "{}"', text)
  expect(text.__RSC_SERVER_MANIFEST).toBe('{}')
  const both: Record<string, unknown> = { __RSC_MANIFEST: { '/one': 1 } }
  vm.runInNewContext(manifestOf('/two'), both)
  expect(both.__RSC_MANIFEST).toEqual({ '/one': 1, '/two': { clientModules: { a: [1] } } })
})

test('other code runs as ever', () => {
  releaseManifestContexts()
  const given: Record<string, unknown> = { value: 2 }
  expect(vm.runInNewContext('result = () => 1; value + 1', given)).toBe(3)
  expect(given.result).toBeTypeOf('function')
})

test('contexts of manifests are collected', async () => {
  releaseManifestContexts()
  const kept: object[] = []
  const before = getHeapStatistics().number_of_native_contexts
  for (let page = 0; page < 200; page++) {
    const given = {}
    vm.runInNewContext(manifestOf(`/${page}`), given)
    kept.push(given)
  }
  setFlagsFromString('--expose-gc')
  const collect = runInNewContext('gc') as () => void
  for (let times = 0; times < 3; times++) {
    collect()
    await new Promise((resolve) => setImmediate(resolve))
  }
  expect(kept).toHaveLength(200)
  expect(getHeapStatistics().number_of_native_contexts).toBeLessThan(before + 20)
})
