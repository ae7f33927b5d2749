import { spawn } from 'node:child_process'
import fs from 'node:fs'
import os from 'node:os'
import path from 'node:path'
import { root } from './areas.ts'
import { type Chosen, inOrderOf } from './choose.ts'
import { changed, type Mutant } from './mutants.ts'
import type { Outcome } from './report.ts'
import { solidityMutants } from './solidity-mutants.ts'

// Tests are linked when they run: those of a changed contract need no compiling.
const SETTINGS = { FOUNDRY_FUZZ_RUNS: '64', FOUNDRY_INVARIANT_RUNS: '4', FOUNDRY_DYNAMIC_TEST_LINKING: 'true' }
const LIMIT_MS = 10 * 60_000

/** The mutants of the contracts by the seed, one of each contract in turn. `only`: of files whose path contains it. */
export function orderedSolidityMutants({ seed, only }: { seed: string; only: string }): Chosen[] {
  const ordered = inOrderOf(seed, solidityMutants(), ({ id }) => id).filter(({ file }) => file.includes(only))
  const inTurn = [...Map.groupBy(ordered, ({ file }) => file).values()]
    .flatMap((list) => list.map((mutant, at) => ({ mutant, at })))
    .sort((a, b) => a.at - b.at)
  return inTurn.map(({ mutant }) => ({ ...mutant, area: path.basename(mutant.file, '.sol') }))
}

/** `judge` gives 'same' when the compiler makes the same code of a mutant, or none at all. */
type Workshop = { judge: (mutant: Mutant) => Promise<Outcome | 'same'>; close: () => void }

/** A copy of the contracts, in which one mutant after the other is compiled and tested. */
export async function openWorkshop(): Promise<Workshop> {
  const folder = fs.mkdtempSync(path.join(os.tmpdir(), 'vitrine-mutants-'))
  for (const name of ['contracts/src', 'contracts/test', 'foundry.toml'])
    fs.cpSync(path.join(root, name), path.join(folder, name), { recursive: true })
  for (const name of ['node_modules', 'scripts']) fs.symlinkSync(path.join(root, name), path.join(folder, name))
  const close = () => fs.rmSync(folder, { recursive: true, force: true })
  if (!(await forge(folder, 'test'))) {
    close()
    throw new Error('The contracts’ tests fail without a change.')
  }
  const original = codeIn(folder)
  return {
    close,
    async judge(mutant) {
      const file = path.join(folder, mutant.file)
      const source = fs.readFileSync(path.join(root, mutant.file), 'utf8')
      fs.writeFileSync(file, changed(source, mutant))
      try {
        if (!(await forge(folder, 'build')) || codeIn(folder) === original) return 'same'
        const passed = await forge(folder, 'test', '--fail-fast')
        return passed === null ? 'timed out' : passed ? 'survived' : 'noticed'
      } finally {
        fs.writeFileSync(file, source)
      }
    },
  }
}

/** What the compiler made of the contracts. */
function codeIn(folder: string): string {
  const names = ['Vitrine721', 'Vitrine1155', 'VitrineFactory']
  return names
    .map((name) => fs.readFileSync(path.join(folder, `contracts/out/${name}.sol/${name}.json`), 'utf8'))
    .map((text) => (JSON.parse(text) as { bytecode: { object: string } }).bytecode.object)
    .join()
}

/** Whether forge succeeded; null when it took too long. */
function forge(folder: string, ...args: string[]): Promise<boolean | null> {
  const child = spawn(process.execPath, [path.join(root, 'scripts/forge.mjs'), ...args], {
    cwd: folder,
    stdio: 'ignore',
    env: { ...process.env, ...SETTINGS },
    timeout: LIMIT_MS,
    killSignal: 'SIGKILL',
  })
  return new Promise((resolve, reject) => {
    child.once('error', reject)
    child.once('close', (code) => resolve(code === null ? null : code === 0))
  })
}
