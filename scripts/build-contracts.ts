// npm run contracts: compiles the contracts with forge, and writes their ABIs and bytecode to lib/core/contracts/abi.ts
// and the input with which an explorer verifies them to contracts/out/standard-json/*.json. With --check it compiles
// nothing, and fails when abi.ts was written from other sources.
import { execFileSync } from 'node:child_process'
import { createHash } from 'node:crypto'
import { mkdirSync, readFileSync, readdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { standardJsonOf, VERIFIABLE } from './standard-json.ts'

const root = join(import.meta.dirname, '..')
const target = join(root, 'lib/core/contracts/abi.ts')
const ours: readonly string[] = VERIFIABLE
// The sandbox's currency isn't part of the version: no collection depends on it.
const contracts = [...ours, 'SandboxToken']

type Artifact = { abi: { type: string; name?: string }[]; bytecode: { object: string } }

const sourceHash = hashSources()
if (process.argv.includes('--check')) check()
else build()

function check() {
  if (readFileSync(target, 'utf8').includes(`'${sourceHash}'`)) return
  console.error(
    'lib/core/contracts/abi.ts was written from other contract sources. Run npm run contracts and commit it.',
  )
  process.exit(1)
}

function build() {
  execFileSync(process.execPath, [join(root, 'scripts/forge.mjs'), 'build', '--skip', 'test'], {
    cwd: root,
    stdio: 'inherit',
  })
  const artifacts = contracts.map((name) => {
    const path = join(root, `contracts/out/${name}.sol/${name}.json`)
    return { name, ...(JSON.parse(readFileSync(path, 'utf8')) as Artifact) }
  })
  const version = createHash('sha256')
    .update(
      artifacts
        .filter(({ name }) => ours.includes(name))
        .map((one) => one.bytecode.object)
        .join(),
    )
    .digest('hex')
    .slice(0, 8)
  writeFileSync(target, sourceOf(artifacts, version))
  const inputs = join(root, 'contracts/out/standard-json')
  mkdirSync(inputs, { recursive: true })
  for (const name of VERIFIABLE) writeFileSync(join(inputs, `${name}.json`), JSON.stringify(standardJsonOf(name)))
  console.log(`Wrote lib/core/contracts/abi.ts, version 3-${version}, and contracts/out/standard-json.`)
}

function sourceOf(artifacts: ({ name: string } & Artifact)[], version: string) {
  const parts = artifacts.map(({ name, abi, bytecode }) => {
    const entries = abi.map((entry) => `  ${JSON.stringify(entry)},\n`).join('')
    const constant = name[0]!.toLowerCase() + name.slice(1)
    return `export const ${constant}Abi = [\n${entries}] as const\n\n/** Creation code, without constructor arguments. */
export const ${constant}Bytecode = '${bytecode.object}'\n`
  })
  return `// Written by \`npm run contracts\` from contracts/src. Change those and run it again.

/** Names the compiled contracts: a collection stores it, so that its contract is always read with the right ABI. */
export const CONTRACTS_VERSION = '3-${version}'

/** The hash of the sources and settings that this was compiled from. */
export const CONTRACTS_SOURCE_HASH = '${sourceHash}'

${parts.join('\n')}`
}

function hashSources() {
  const hash = createHash('sha256')
  const sources = readdirSync(join(root, 'contracts/src'), { recursive: true, encoding: 'utf8' })
    .filter((name) => name.endsWith('.sol'))
    .sort()
  for (const path of ['foundry.toml', ...sources.map((name) => `contracts/src/${name}`)]) {
    hash.update(`${path}\0${readFileSync(join(root, path), 'utf8')}\0`)
  }
  for (const name of ['solady', 'solc']) {
    const { version } = JSON.parse(readFileSync(join(root, `node_modules/${name}/package.json`), 'utf8'))
    hash.update(`${name}@${version}\0`)
  }
  return hash.digest('hex')
}
