// npm run gas-snapshot: writes contracts/gas.json, what our operations cost. A test compares with it, so that nothing gets dearer
// unseen; a change that is meant to is committed with its new figures.
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { startGasChain } from './gas-chain.ts'
import { compiledContracts, measureOurs } from './gas-ours.ts'

const chain = await startGasChain()
try {
  const figures = await measureOurs(chain, compiledContracts)
  writeFileSync(join(import.meta.dirname, '../contracts/gas.json'), `${JSON.stringify(figures, null, 2)}\n`)
  for (const [operation, gas] of Object.entries(figures))
    console.log(`${gas.toLocaleString('en').padStart(12)}  ${operation}`)
} finally {
  chain.stop()
}
