import type { Address } from 'viem'

/** Names of addresses, such as vitalik.eth. */
export type Names = {
  /**
   * The address that a name stands for, as its owner says on Ethereum; null for a name that stands for none, isn't one,
   * or whose resolver gives no usable answer. Throws ChainUnavailable when no node answers.
   */
  addressOf(name: string): Promise<Address | null>
}
