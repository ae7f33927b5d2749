/** Planted in the simulator's process only: `text` of a file of lib is replaced as it is loaded. */
type Replacement = { file: string; text: string; by: string }

/**
 * Defects that the product once had or nearly had, each by the name under which `npm run simulate -- --defect NAME` plants it. A test keeps
 * their texts in step with the code.
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
  // A nonce that one node calls used is believed at once: what was signed for it waits for another nonce.
  'nonce-by-one-node': [
    {
      file: 'lib/onchain/transactions/watch-submitted.ts',
      text: 'if (passes + 1 < PASSES_TO_CONFIRM || finalTo < since) return',
      by: 'if (finalTo < 0n) return',
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
  // A voucher expires by the head instead of the last final block that is entered.
  'voucher-at-head': [
    {
      file: 'lib/onchain/vouchers/expire-vouchers.ts',
      text: 'const block = entered < 0n ? null : await chain.block(earlier(await finalBlock(chain), entered))',
      by: 'const block = entered < -1n ? await chain.block(earlier(await finalBlock(chain), entered)) : await chain.head()',
    },
    {
      file: 'lib/onchain/vouchers/expire-vouchers.ts',
      text: 'if (await isUsedUnseen(ctx, chain, voucher)) {',
      by: 'if (before < 0n && (await isUsedUnseen(ctx, chain, voucher))) {',
    },
  ],
}
