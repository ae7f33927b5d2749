// Each contract's sources and settings as standard JSON, the input of the compiler and of an explorer that verifies a
// contract.
import { existsSync, readFileSync } from 'node:fs'
import { join, posix } from 'node:path'

const root = join(import.meta.dirname, '..')

/** The contracts that are deployed once a network for the whole installation. */
export const VERIFIABLE = ['Vitrine721', 'Vitrine1155', 'VitrineFactory'] as const
export type Verifiable = (typeof VERIFIABLE)[number]

export type StandardJson = {
  language: 'Solidity'
  sources: Record<string, { content: string }>
  settings: Record<string, unknown>
}

/** The path of a contract's source, as the compiler names it. */
export const sourcePathOf = (name: string): string => `contracts/src/${name}.sol`

/**
 * The input that compiles to the bytecode in lib/core/contracts/abi.ts: a contract's source, its imports, and
 * foundry.toml's settings.
 */
export function standardJsonOf(name: Verifiable): StandardJson {
  const [profile] = readFileSync(join(root, 'foundry.toml'), 'utf8').split(/^\[(?!profile\.default\])/m)
  const setting = (key: string) => new RegExp(`^${key} = (.+)$`, 'm').exec(profile!)?.[1] ?? ''
  const remappings = JSON.parse(setting('remappings')) as string[]
  const sources: Record<string, { content: string }> = {}
  const add = (path: string) => {
    if (sources[path]) return
    if (!existsSync(join(root, path))) throw new Error(`${path} isn't there, which ${name} imports.`)
    const content = readFileSync(join(root, path), 'utf8')
    sources[path] = { content }
    for (const [, imported] of content.matchAll(/^\s*import\s+(?:[^'";]*?\sfrom\s+)?["']([^"']+)["']/gm))
      add(resolveImport(path, imported!, remappings))
  }
  add(sourcePathOf(name))
  return {
    language: 'Solidity',
    sources: Object.fromEntries(Object.entries(sources).sort(([one], [other]) => (one < other ? -1 : 1))),
    settings: {
      remappings,
      optimizer: {
        enabled: setting('optimizer') === 'true',
        runs: Number(setting('optimizer_runs').replaceAll('_', '')),
      },
      viaIR: setting('via_ir') === 'true',
      evmVersion: JSON.parse(setting('evm_version')) as string,
      metadata: {
        bytecodeHash: JSON.parse(setting('bytecode_hash')) as string,
        appendCBOR: setting('cbor_metadata') === 'true',
      },
      outputSelection: { '*': { '*': ['abi', 'evm.bytecode.object', 'evm.deployedBytecode.object', 'metadata'] } },
    },
  }
}

function resolveImport(from: string, imported: string, remappings: string[]): string {
  if (imported.startsWith('.')) return posix.join(posix.dirname(from), imported)
  for (const [prefix, folder] of remappings.map((remapping) => remapping.split('=') as [string, string])) {
    if (imported.startsWith(prefix)) return folder + imported.slice(prefix.length)
  }
  return imported
}
