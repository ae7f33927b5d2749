import type { Address } from 'viem'
import { limitConcurrency } from '../../core/limit-concurrency.ts'
import { CallUndecided, type Chain } from '../../ports/chain/chain.ts'
import type { SendingMint, SendingRow } from '../transactions/sending-row.ts'
import { refusalOf } from './assert-receives.ts'
import type { RefusedMint } from './decide-used-mints.ts'

const AT_ONCE = 16

type Judged = { accepted: SendingMint[]; refused: RefusedMint[]; undecided: RefusedMint[] }

/** Asks the receivers of mints whether they take them. `undecided`: the nodes run no such call. */
export async function judgeReceivers(
  chain: Chain,
  operator: Address,
  { collection: { contractAddress, tokenType } }: SendingRow,
  mints: readonly SendingMint[],
): Promise<Judged> {
  const judged: Judged = { accepted: [], refused: [], undecided: [] }
  const limited = limitConcurrency(AT_ONCE)
  const judge = async (mint: SendingMint) => {
    const token = { contractAddress: contractAddress!, tokenType: tokenType!, tokenId: mint.item.tokenId!, operator }
    try {
      const reason = await refusalOf(chain, token, { address: mint.toAddress, quantity: mint.quantity })
      if (reason === null) judged.accepted.push(mint)
      else judged.refused.push({ mint, reason })
    } catch (error) {
      if (!(error instanceof CallUndecided)) throw error
      judged.undecided.push({ mint, reason: error.message })
    }
  }
  await Promise.all(mints.map((mint) => limited(() => judge(mint))))
  return judged
}
