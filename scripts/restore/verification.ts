import { nothingCompared } from '../../lib/data/reconciliation/finding.ts'
import { verifyRecords } from '../../lib/data/reconciliation/verify-records.ts'
import type { SystemContext } from '../../lib/platform/auth/context.ts'

/**
 * Compares stock, payments and chain with each other, prints where they disagree and what was compared, and tells
 * whether all agree.
 */
export async function printVerification(worker: SystemContext): Promise<boolean> {
  const compared = nothingCompared()
  const findings = await verifyRecords(worker, compared)
  for (const { check, subject, detail } of findings)
    console.log(`DISAGREES  ${check}\n           ${subject}: ${detail}`)
  for (const networkId of compared.withoutNode)
    console.log(`NOT READ   network ${networkId}: it has collections, and RPC_URLS names no node of it`)
  const { networks, contracts, logs, tokens, vouchers, mintRequests } = compared
  console.log(
    `Compared with the chain: ${[
      counted(networks, 'network'),
      counted(contracts, 'contract'),
      counted(logs, 'log'),
      counted(tokens, 'token'),
      counted(vouchers, 'voucher'),
      counted(mintRequests, 'request number'),
    ].join(', ')}.`,
  )
  const agrees = findings.length === 0 && compared.withoutNode.length === 0
  if (agrees) console.log('Stock, money and chain agree.')
  else if (findings.length > 0)
    console.log(findings.length === 1 ? 'One thing disagrees.' : `${findings.length} things disagree.`)
  else console.log('Stock and money agree; not every chain was compared.')
  return agrees
}

function counted(count: number, word: string): string {
  return `${count} ${word}${count === 1 ? '' : 's'}`
}
