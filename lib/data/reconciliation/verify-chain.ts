import type { SystemContext } from '../../platform/auth/context.ts'
import type { Chain } from '../../ports/chain/chain.ts'
import { verifyChunkRanges } from './verify-chunk-ranges.ts'
import { NotCompared } from './compare-part.ts'
import { type Compared, type Finding, oneForEachForeign } from './finding.ts'
import { verifyBalances } from './verify-balances.ts'
import { verifyItems } from './verify-items.ts'
import { verifyLogs } from './verify-logs.ts'
import { verifyRequestNumbers } from './verify-request-numbers.ts'
import { verifySupplies } from './verify-supplies.ts'
import { verifyVouchers } from './verify-vouchers.ts'

const COMPARISONS = [
  verifyLogs,
  verifySupplies,
  verifyItems,
  verifyBalances,
  verifyVouchers,
  verifyRequestNumbers,
  verifyChunkRanges,
]

/**
 * Compares a network's chain with the books: each part at the last block that was entered when it was read, so that
 * what isn't entered yet is no finding. Collections whose earlier blocks are still being entered are left out. Of a
 * foreign contract that disagrees there is one finding.
 */
export async function verifyChain(worker: SystemContext, chain: Chain, compared: Compared): Promise<Finding[]> {
  const { id, name } = chain.network
  const findings: Finding[] = []
  try {
    for (const verify of COMPARISONS) findings.push(...(await verify(worker, chain, compared)))
    compared.networks++
  } catch (error) {
    if (!(error instanceof NotCompared)) throw error
    findings.push({ check: 'the chain can be compared', subject: `${name} (${id})`, detail: error.message })
  }
  return oneForEachForeign(findings)
}
