import { isAddressEqual, type Address, type Hex } from 'viem'
import { raiseAlarm } from '../../records/alarms/raise-alarm.ts'
import { type Context, inTransaction, within, type WorkerContext } from '../../platform/auth/context.ts'
import type { Chain, Network, Receipt } from '../../ports/chain/chain.ts'
import { cloneCode } from '../../core/contracts/calls.ts'
import { SENTENCES } from '../../core/contracts/revert-reason.ts'
import { decodeTokenLog } from '../../core/contracts/token-logs.ts'
import { completeDeployment } from '../../catalog/collections/advance-deployment.ts'
import { readContractVersion } from '../../catalog/collections/read-contract-version.ts'
import { crashPoint } from '../../core/crash.ts'
import { decideUsedMints } from '../mints/decide-used-mints.ts'
import { advanceMint, advanceMints } from '../mints/advance-mint.ts'
import { readIndexed } from '../indexer/read-indexed.ts'
import { waitsForIndex } from '../mints/waits-for-index.ts'
import { applyTransferReceipt } from '../transfers/apply-transfer-receipt.ts'
import { abandonPromises, abandonTransaction } from './abandon-transaction.ts'
import { advanceTransaction, completeTransactions, type Place } from './advance-transaction.ts'
import { isConsecutiveBatch } from './prepare-transaction.ts'
import { carriesMints, findSending, type SendingMint, type SendingRow, type SignedRow } from './sending-row.ts'
import { splitWaiting } from './split-transaction.ts'
import type { Tip } from './tip.ts'
import { changeRoles } from './change-roles.ts'

export type Mined = { signed: SignedRow; receipt: Receipt }

const REVERTED = 'The transaction reverted on chain.'
const WITHOUT_LOG = 'The transaction went through without doing what it was sent for.'
const MINTED_BEFORE = SENTENCES.TokenAlreadyExists

/**
 * Applies the receipt of a mined transaction. It is done when its effect is in the receipt, confirmations deep; it has
 * failed only when nothing signed for it can be mined any more. Safe to repeat: each call goes as far as the depth
 * allows.
 */
export async function applyReceipt(
  worker: WorkerContext,
  chain: Chain,
  row: SendingRow,
  { signed, receipt }: Mined,
  tip: Tip,
): Promise<void> {
  const isFinal = receipt.blockNumber <= tip.finalTo
  const isConfirmed = isDeepEnough(chain.network, receipt, tip)
  const place = placeOf(signed, receipt)
  const isDeployment = row.txType === 'DEPLOY_TOKEN_CONTRACT'
  const isDeployed = isDeployment && isConfirmed && (await isDeployedAsPredicted(chain, row))
  const contractVersion = isDeployed ? await readDeployedVersion(chain, row) : null
  const isFailure = signed.cancels || (isDeployment && !isDeployed)
  if (!isConfirmed || (isFailure && !isFinal)) {
    if (row.blockHash !== receipt.blockHash)
      await worker.db.transaction.updateMany({ where: { id: row.id, state: 'SUBMITTED' }, data: place })
    return
  }
  crashPoint('after_mining')
  if (isFinal && !signed.cancels && carriesMints(row.txType)) {
    const { refused } = outcomesOf(row, carriedBy(row, signed), receipt)
    const { undecided } = await decideUsedMints(worker, chain, row, refused, tip.finalTo)
    if (undecided.length > 0) return
    const fresh = await findSending(worker, row.id)
    if (!fresh) return
    row = fresh
  }
  if (row.txType === 'SIGNED_TRANSFER' && !signed.cancels)
    await applyTransferReceipt(worker, chain, row, { receipt, place, isFinal, finalTo: tip.finalTo })
  else {
    const ending = isFinal ? endingBy(row, signed, receipt) : []
    const indexed = ending.length > 0 ? await readIndexed(worker, chain) : null
    await inTransaction(worker, async (own) => {
      if (ending.length > 0 && (await waitsForIndex(own, row.networkId, ending, indexed))) return
      await within(own, row.organizationId, async (tx) => {
        if (signed.cancels) return applyCancelReceipt(tx, row, place)
        if (carriesMints(row.txType)) return applyMintReceipt(tx, row, { signed, receipt }, place, isFinal)
        if (isDeployment) return applyDeploymentReceipt(tx, row, receipt, place, { isDeployed, contractVersion })
        return complete(tx, row, receipt, place)
      })
    })
  }
  crashPoint('receipt_applied')
}

/** Whether a block lies as deep as the network's confirmations ask. */
export const isDeepEnough = ({ confirmations }: Network, { blockNumber }: Receipt, { head }: Tip): boolean =>
  head.number - blockNumber + 1n >= BigInt(confirmations)

export const placeOf = (signed: SignedRow, receipt: Receipt): Place => ({
  txHash: signed.hash,
  blockNumber: receipt.blockNumber,
  blockHash: receipt.blockHash,
  gasUsed: receipt.gasUsed,
  gasCostWei: (receipt.gasUsed * receipt.effectiveGasPrice).toString(),
})

async function complete(tx: Context, row: SendingRow, receipt: Receipt, place: Place): Promise<void> {
  const onChainStatus = receipt.status === 'success' ? 'SUCCESS' : 'FAILURE'
  const failure = receipt.status === 'success' ? null : REVERTED
  await completeTransactions(tx, [{ row, place, onChainStatus, failure }])
  if (row.txType === 'SET_ROLES' && onChainStatus === 'SUCCESS') await changeRoles(tx, row)
}

/** Our empty transaction used the nonce. */
async function applyCancelReceipt(tx: Context, row: SendingRow, place: Place): Promise<void> {
  if (row.cancelRequestedAt)
    return abandonTransaction(tx, row, 'CANCELLED', 'It was cancelled.', { ...place, onChainStatus: null })
  // Nothing that carries its mints can be mined any more: they wait for another transaction.
  const left = row.mintRequests.filter(({ state }) => state === 'SUBMITTED')
  await requeueAsOrdinary(tx, row, left)
  const rest = { ...row, mintRequests: row.mintRequests.filter((mint) => !left.includes(mint)) }
  await abandonTransaction(tx, rest, 'FAILED', row.failure ?? 'An empty transaction took its nonce.', {
    ...place,
    onChainStatus: null,
  })
}

/** A consecutive batch succeeds or reverts as a whole. Its mints wait again, for an ordinary batch, which leaves one bad entry out. */
async function requeueAsOrdinary(tx: Context, row: SendingRow, mints: readonly SendingMint[]): Promise<void> {
  if (mints.length > 0) await splitWaiting(tx, row, mints, { ordinary: true })
}

/** Deployed means the expected code at the predicted address, whoever sent it. */
async function isDeployedAsPredicted(chain: Chain, { collection }: SendingRow): Promise<boolean> {
  const { contractAddress, implementation, cloneArgs } = collection
  const code = await chain.code(contractAddress as Address)
  return code?.toLowerCase() === cloneCode(implementation as Address, cloneArgs as `0x${string}`)
}

const readDeployedVersion = (
  chain: Chain,
  { collection: { tokenType, contractAddress } }: SendingRow,
): Promise<string | null> => readContractVersion(chain, tokenType!, contractAddress as Address)

async function applyDeploymentReceipt(
  tx: Context,
  row: SendingRow,
  receipt: Receipt,
  place: Place,
  { isDeployed, contractVersion }: { isDeployed: boolean; contractVersion: string | null },
): Promise<void> {
  if (isDeployed) {
    await completeTransactions(tx, [{ row, place, onChainStatus: 'SUCCESS', failure: null }])
    return completeDeployment(tx, row.collectionId, contractVersion)
  }
  if (receipt.status === 'reverted') {
    await complete(tx, row, receipt, place)
    return abandonPromises(tx, row, 'FAILED', REVERTED)
  }
  await raiseAlarm(
    tx,
    'deployment_unexpected',
    row.id,
    `The deployment ${receipt.hash} went through, but the expected contract isn’t at ${row.collection.contractAddress}.`,
  )
  await abandonTransaction(tx, row, 'FAILED', WITHOUT_LOG, { ...place, onChainStatus: 'SUCCESS' })
}

async function applyMintReceipt(
  tx: Context,
  row: SendingRow,
  { signed, receipt }: Mined,
  place: Place,
  isFinal: boolean,
): Promise<void> {
  const carried = carriedBy(row, signed)
  const { minted, refused } = outcomesOf(row, carried, receipt)
  if (row.state === 'SUBMITTED') {
    const isEmpty = receipt.status === 'success' && minted.length === 0
    // Without a log nothing was minted; only a final block decides that.
    if (isEmpty && !isFinal)
      return void (await tx.db.transaction.updateMany({ where: { id: row.id, state: 'SUBMITTED' }, data: place }))
    if (isEmpty) {
      await raiseAlarm(
        tx,
        'mint_without_log',
        row.id,
        `The transaction ${receipt.hash} went through without ${row.txType === 'ADMIN_MINT' ? 'any of its mints' : 'its transfer'}.`,
      )
      await advanceTransaction(tx, row, 'FAILED', {
        ...place,
        onChainStatus: 'SUCCESS',
        failure: refused[0]?.reason ?? WITHOUT_LOG,
        completedAt: tx.now(),
      })
    } else await complete(tx, row, receipt, place)
    await advanceMints(
      tx,
      minted.filter(({ state }) => state === 'SUBMITTED'),
      'COMPLETED',
      { txHash: signed.hash },
    )
  }
  if (!isFinal) return
  if (isRevertedBatch(signed, receipt))
    return requeueAsOrdinary(
      tx,
      row,
      row.mintRequests.filter(({ state }) => state === 'SUBMITTED'),
    )
  for (const { mint, reason } of refused)
    if (mint.state === 'SUBMITTED') await advanceMint(tx, mint, 'FAILED', { failure: reason })
  // No bytes that carry them can be mined any more: they wait for another transaction.
  const left = row.mintRequests.filter((mint) => !carried.includes(mint) && mint.state === 'SUBMITTED')
  if (left.length > 0) await splitWaiting(tx, row, left)
}

/** The mints that end without their tokens once this receipt is final. Others may wait for another transaction, which ends nothing. */
function endingBy(row: SendingRow, signed: SignedRow, receipt: Receipt): string[] {
  const open = row.mintRequests.filter(({ state }) => state === 'SUBMITTED')
  if (signed.cancels) return row.cancelRequestedAt ? open.map(({ id }) => id) : []
  if (isRevertedBatch(signed, receipt)) return []
  const { refused } = outcomesOf(row, carriedBy(row, signed), receipt)
  return refused.flatMap(({ mint }) => (open.includes(mint) ? mint.id : []))
}

const isRevertedBatch = (signed: SignedRow, receipt: Receipt): boolean =>
  receipt.status === 'reverted' && isConsecutiveBatch(signed.raw as Hex)

export const carriedBy = (row: SendingRow, signed: SignedRow): SendingMint[] =>
  row.mintRequests.filter((mint) => signed.mintRequestIds.includes(mint.id))

type Outcomes = { minted: SendingMint[]; refused: { mint: SendingMint; reason: string }[] }

/** Which mints are done: their Transfer log (collection, recipient, id, amount) is in the receipt; each log counts for one mint. */
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
