import {
  formatTransaction,
  keccak256,
  recoverTransactionAddress,
  serializeTransaction,
  type Address,
  type Hex,
  type RpcTransaction,
  type TransactionSerializable,
} from 'viem'

export type SentTransaction = { from: Address; to: Address | null; input: Hex }

/**
 * The sender, address and data of a transaction as a node gave it. null where that isn't what its hash stands for: the
 * node lies, or the transaction is of a kind that no key signs.
 */
export async function readSentTransaction(hash: Hex, answer: unknown): Promise<SentTransaction | null> {
  try {
    const { r, s, v, yParity, to, input, ...terms } = formatTransaction(answer as RpcTransaction)
    const signature = terms.type === 'legacy' ? { r, s, v } : { r, s, yParity: yParity! }
    const unsigned = { ...terms, to, data: input } as TransactionSerializable
    const raw = serializeTransaction(unsigned, signature)
    if (keccak256(raw) !== hash) return null
    return { from: await recoverTransactionAddress({ serializedTransaction: raw }), to, input }
  } catch {
    return null
  }
}
