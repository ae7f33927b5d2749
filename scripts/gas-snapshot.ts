// npm run gas-snapshot: writes the gas of our operations to contracts/gas.json. A test fails when an operation costs
// more than the file says; commit the new file with a change that is meant to cost more.
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
