import { isAddressEqual, type Address, type Hex } from 'viem'
import { SENTENCES } from '../../core/contracts/revert-reason.ts'
import { decodeTokenLog } from '../../core/contracts/token-logs.ts'
import type { Receipt } from '../../ports/chain/chain.ts'
import type { Mined } from './agreed-receipt.ts'
import { isConsecutiveBatch } from './prepare-transaction.ts'
import { carriesMints, type SendingMint, type SendingRow, type SignedRow } from './sending-row.ts'

export const REVERTED = 'The transaction reverted on chain.'
export const WITHOUT_LOG = 'The transaction went through without doing what it was sent for.'
const MINTED_BEFORE = SENTENCES.TokenAlreadyExists

/**
 * The mints that end without their tokens once this receipt is final. Others may wait for another transaction, which
 * ends nothing.
 */
export function endingBy(row: SendingRow, { signed, receipt }: Mined): string[] {
  const open = row.mintRequests.filter(({ state }) => state === 'SUBMITTED')
  if (signed.cancels) return row.cancelRequestedAt ? open.map(({ id }) => id) : []
  if (isRevertedBatch({ signed, receipt })) return []
  const { refused } = outcomesOf(row, carriedBy(row, signed), receipt)
  return refused.flatMap(({ mint }) => (open.includes(mint) ? mint.id : []))
}

/**
 * The undecided and the completed mints that a final receipt leaves out. What waits for another transaction after it
 * has no end yet.
 */
export function refusedBy(row: SendingRow, { signed, receipt }: Mined): SendingMint[] {
  if (!carriesMints(row.txType)) return []
  const ending = endingBy(row, { signed, receipt })
  const refused = signed.cancels ? [] : outcomesOf(row, carriedBy(row, signed), receipt).refused
  const undone = refused.flatMap(({ mint }) => (mint.state === 'COMPLETED' ? mint.id : []))
  return row.mintRequests.filter(({ id }) => ending.includes(id) || undone.includes(id))
}

export const isRevertedBatch = ({ signed, receipt }: Mined): boolean =>
  receipt.status === 'reverted' && isConsecutiveBatch(signed.raw as Hex)

export const carriedBy = (row: SendingRow, signed: SignedRow): SendingMint[] =>
  row.mintRequests.filter((mint) => signed.mintRequestIds.includes(mint.id))

type Outcomes = { minted: SendingMint[]; refused: { mint: SendingMint; reason: string }[] }

/**
 * Which mints are done: their Transfer log (collection, recipient, id, amount) is in the receipt; each log counts for
 * one mint.
 */
export function outcomesOf(
  row: Pick<SendingRow, 'txType' | 'operator' | 'collection'>,
  mints: readonly SendingMint[],
  receipt: Receipt,
): Outcomes {
  if (receipt.status === 'reverted') return { minted: [], refused: mints.map((mint) => ({ mint, reason: REVERTED })) }
  const contract = row.collection.contractAddress as Address
  const logs = receipt.logs.filter((log) => isAddressEqual(log.address, contract)).map(decodeTokenLog)
  const moves = logs.flatMap((log) => (log?.type === 'MOVED' ? log.moves.filter((move) => isFrom(row, move)) : []))
  const refusals = new Map(
    logs.flatMap((log) => (log?.type === 'MINT_REFUSED' ? [[log.requestId, log.reason] as const] : [])),
  )
  const outcomes: Outcomes = { minted: [], refused: [] }
  for (const mint of mints) {
    const refusal = refusals.get(mint.requestNumber)
    const at = refusal === undefined ? moves.findIndex((move) => isMintOf(mint, move)) : -1
    if (at >= 0) {
      moves.splice(at, 1)
      outcomes.minted.push(mint)
    } else
      outcomes.refused.push({
        mint,
        reason: refusal ?? (logs.some((log) => isSkipOf(mint, log)) ? MINTED_BEFORE : WITHOUT_LOG),
      })
  }
  return outcomes
}

/** A transfer's token comes from the operator that had it, a mint's from the zero address. */
const isFrom = (
  { txType, operator }: Pick<SendingRow, 'txType' | 'operator'>,
  { kind, from }: { kind: string; from: Address },
): boolean =>
  txType === 'TRANSFER_TOKEN' ? kind === 'TRANSFER' && isAddressEqual(from, operator as Address) : kind === 'MINT'

const isMintOf = (mint: SendingMint, move: { to: Address; tokenId: bigint; quantity: bigint }): boolean =>
  isAddressEqual(move.to, mint.toAddress as Address) &&
  move.tokenId === BigInt(mint.item.tokenId!) &&
  move.quantity === mint.quantity

const isSkipOf = (mint: SendingMint, log: ReturnType<typeof decodeTokenLog>): boolean =>
  log?.type === 'MINT_SKIPPED' && log.tokenId === BigInt(mint.item.tokenId!)
