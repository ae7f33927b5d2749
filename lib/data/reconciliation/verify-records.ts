import type { SystemContext } from '../../platform/auth/context.ts'
import { type Compared, type Finding, nothingCompared } from './finding.ts'
import { verifyBooks } from './verify-books.ts'
import { verifyChain } from './verify-chain.ts'

/**
 * Compares the records of stock, money and chain with each other, and then with the chains. Read-only; returns nothing
 * when all agree. A network that can't be read is a finding, and the others are compared. Adds to `compared` what was
 * compared with a chain.
 */
export async function verifyRecords(worker: SystemContext, compared: Compared = nothingCompared()): Promise<Finding[]> {
  const findings = await verifyBooks(worker)
  for (const chain of worker.ports.chains.values()) findings.push(...(await verifyChain(worker, chain, compared)))
  const networks = await worker.db.collection.groupBy({ by: ['networkId'], where: { following: true } })
  const withoutNode = networks.flatMap(({ networkId }) => networkId ?? []).filter((id) => !worker.ports.chains.has(id))
  compared.withoutNode.push(...withoutNode)
  return findings
}
