/** Planted in the simulator's process only: `text` of a file of lib is replaced as it is loaded. */
type Replacement = { file: string; text: string; by: string }

/**
 * Defects that the product once had or nearly had, each by the name under which `npm run simulate -- --defect NAME`
 * plants it. A test keeps their texts in step with the code.
 */
export const DEFECTS: Record<string, Replacement[]> = {
  // A failed mint is decided, and its purchase refunded, while a reorg may still let it succeed.
  'refund-before-final': [
    {
      file: 'lib/onchain/transactions/apply-receipt.ts',
      text: 'const isFinal = receipt.blockNumber <= tip.finalTo',
      by: 'const isFinal = tip.finalTo >= 0n',
    },
  ],
  // A mint that a reorg undid stays delivered.
  'delivered-before-final': [
    {
      file: 'lib/onchain/transactions/step-back.ts',
      text: "if (receipt?.blockHash === row.blockHash) return 'there'",
      by: "if (receipt?.blockHash !== row.txHash) return 'there'",
    },
  ],
  // A nonce that one node calls used is believed at once: what was signed for it waits for another nonce.
  'nonce-by-one-node': [
    {
      file: 'lib/onchain/transactions/watch-submitted.ts',
      text: 'if (passes + 1 < PASSES_TO_CONFIRM || finalTo < since) return',
      by: 'if (finalTo < 0n) return',
    },
    {
      file: 'lib/onchain/transactions/watch-submitted.ts',
      text: 'const by = await usedBy(chain, watched, finalTo)',
      by: "const by = await Promise.resolve<'others' | 'own' | 'unsure'>('others')",
    },
  ],
  // What one node's receipt says of a final block is believed, whatever other nodes, the contract and the index say.
  'receipt-by-one-node': [
    {
      file: 'lib/onchain/transactions/apply-receipt.ts',
      text: '(await needsAgreement(worker, chain, row, told, tip)) ? await agreedReceipt(chain, row) : told',
      by: '(await needsAgreement(worker, chain, row, told, tip)) ? await Promise.resolve(told) : told',
    },
    {
      file: 'lib/onchain/transactions/apply-receipt.ts',
      text: 'isFinal ? refusedBy(row, mined) : []',
      by: 'tip.finalTo < 0n ? refusedBy(row, mined) : []',
    },
    {
      file: 'lib/onchain/mints/advance-mint.ts',
      text: 'if (consumed.length > 0) throw',
      by: 'if (consumed.length < 0) throw',
    },
  ],
  // A log that a node leaves out is never looked for again.
  'log-left-out': [
    {
      file: 'lib/onchain/indexer/rescan-final.ts',
      text: '!known.has(key) && one.blockNumber',
      by: `known.has('') && one.blockNumber`,
    },
    {
      file: 'lib/onchain/indexer/index-once.ts',
      text: '...(await findMissingLogs(chain, collections, { node, blocks, logs: read.logs }))',
      by: '...(blocks.length < 0 ? await findMissingLogs(chain, collections, { node, blocks, logs: read.logs }) : [])',
    },
  ],
}
