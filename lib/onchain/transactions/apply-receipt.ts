import type { Address } from 'viem'
import { agreedAnswer, NotProved } from './agreed-answer.ts'
import { raiseAlarm } from '../../records/alarms/raise-alarm.ts'
import { type Context, inTransaction, within, type SystemContext } from '../../platform/auth/context.ts'
import type { Chain, ChainReads, Network, Receipt } from '../../ports/chain/chain.ts'
import { cloneCode } from '../../core/contracts/calls.ts'
import { completeDeployment } from '../../catalog/collections/advance-deployment.ts'
import { readContractVersion } from '../../catalog/collections/read-contract-version.ts'
import { crashPoint } from '../../core/crash.ts'
import { log } from '../../core/log.ts'
import { decideUsedMints } from '../mints/decide-used-mints.ts'
import { findDelivered } from '../mints/find-delivered.ts'
import { advanceMint, advanceMints } from '../mints/advance-mint.ts'
import { readIndexed } from '../indexer/read-indexed.ts'
import { waitsForIndex } from '../mints/waits-for-index.ts'
import { applyTransferReceipt, isTransferred } from '../transfers/apply-transfer-receipt.ts'
import { abandonPromises, abandonTransaction } from './abandon-transaction.ts'
import { advanceTransaction, completeTransactions, type Place } from './advance-transaction.ts'
import { agreedReceipt, type Mined } from './agreed-receipt.ts'
import { carriedBy, endingBy, isRevertedBatch, outcomesOf, refusedBy, REVERTED, WITHOUT_LOG } from './outcomes-of.ts'
import {
  carriesMints,
  findSending,
  requestsOf,
  type SendingMint,
  type SendingRow,
  type SignedRow,
} from './sending-row.ts'
import { splitWaiting } from './split-transaction.ts'
import { stepBack } from './step-back.ts'
import type { Tip } from './tip.ts'
import { changeRoles } from './change-roles.ts'

/**
 * Applies the receipt of a mined transaction, as one node tells it. It is done when its effect is in the receipt,
 * confirmations deep; it has failed only when nothing signed for it can be mined any more, and several nodes say so. A
 * completed one is compared with its final receipt: where that differs, the record follows. Safe to repeat: each call
 * goes as far as the depth allows. Throws NotProved where nodes disagree. false: it waits for more blocks or for the
 * index.
 */
export async function applyReceipt(
  worker: SystemContext,
  chain: Chain,
  row: SendingRow,
  told: Mined,
  tip: Tip,
): Promise<boolean> {
  // A block that isn't there yet: the node is ahead of the one that told the head, or lies.
  if (told.receipt.blockNumber > tip.head.number) return false
  const mined = (await needsAgreement(worker, chain, row, told, tip)) ? await agreedReceipt(chain, row) : told
  const { signed, receipt } = mined
  const isFinal = receipt.blockNumber <= tip.finalTo
  const isConfirmed = isDeepEnough(chain.network, receipt, tip)
  const place = placeOf(signed, receipt)
  const isDeployment = row.txType === 'DEPLOY_TOKEN_CONTRACT'
  const isDeployed = isDeployment && isConfirmed && (await isDeployedForSure(chain, row, isFinal))
  const contractVersion = isDeployed ? await readDeployedVersion(chain, row) : null
  const isFailure = signed.cancels || (isDeployment && !isDeployed)
  if (!isConfirmed || (isFailure && !isFinal)) {
    if (row.blockHash !== receipt.blockHash)
      await worker.db.transaction.updateMany({ where: { id: row.id, state: 'SUBMITTED' }, data: place })
    return false
  }
  if (isDeployment && !isDeployed && row.onChainStatus === 'SUCCESS')
    throw new NotProved(`The contract that ${signed.hash} deployed isn’t at ${row.collection.contractAddress}.`)
  crashPoint('after_mining')
  if (isFinal && !signed.cancels && carriesMints(row.txType)) {
    const { refused } = outcomesOf(row, carriedBy(row, signed), receipt)
    const open = refused.filter(({ mint }) => mint.state === 'SUBMITTED')
    const { undecided } = await decideUsedMints(worker, chain, row, open, tip.finalTo)
    if (undecided.length > 0) return false
    const fresh = await findSending(worker, row.id)
    if (!fresh) return false
    row = fresh
  }
  const said = { txHash: signed.hash, finalTo: tip.finalTo }
  const delivered = await findDelivered(worker, chain, row, isFinal ? refusedBy(row, mined) : [], said)
  if (!delivered) return false
  if (row.state === 'COMPLETED' && isOtherThanRecorded(row, mined, delivered)) {
    await stepBack(worker, row)
    const undone = await findSending(worker, row.id)
    return undone?.state === 'SUBMITTED' && applyReceipt(worker, chain, undone, mined, tip)
  }
  if (row.txType === 'SIGNED_TRANSFER' && !signed.cancels)
    await applyTransferReceipt(worker, chain, row, { receipt, place, isFinal, finalTo: tip.finalTo })
  else {
    const ending = isFinal ? endingBy(row, mined).filter((id) => !delivered.has(id)) : []
    const indexed = ending.length > 0 ? await readIndexed(worker, chain) : null
    await inTransaction(worker, async (own) => {
      if (ending.length > 0 && (await waitsForIndex(own, row.networkId, ending, indexed))) return
      await within(own, row.organizationId, async (tx) => {
        if (signed.cancels) return applyCancelReceipt(tx, row, place)
        if (carriesMints(row.txType)) return applyMintReceipt(tx, row, mined, place, { isFinal, delivered })
        if (row.state !== 'SUBMITTED') return
        if (isDeployment) return applyDeploymentReceipt(tx, row, receipt, place, { isDeployed, contractVersion })
        return complete(tx, row, receipt, place)
      })
    })
  }
  crashPoint('receipt_applied')
  log.info({ ...requestsOf(row), hash: signed.hash, isFinal }, 'A receipt was applied.')
  return true
}

/**
 * Whether one node's word isn't enough: what follows from the receipt can't be undone. So it is with whatever ended
 * without its effect in a final block, with a completed transaction that is to become final, and with roles, which
 * decide who signs from now on.
 */
async function needsAgreement(
  worker: SystemContext,
  chain: Chain,
  row: SendingRow,
  { signed, receipt }: Mined,
  tip: Tip,
): Promise<boolean> {
  if (!isDeepEnough(chain.network, receipt, tip)) return false
  if (row.state !== 'SUBMITTED') return true
  if (row.txType === 'SET_ROLES' && receipt.status === 'success') return true
  if (receipt.blockNumber > tip.finalTo) return false
  if (signed.cancels || receipt.status === 'reverted') return true
  if (row.txType === 'SIGNED_TRANSFER') return !(await isTransferred(worker, row, receipt))
  if (row.txType === 'DEPLOY_TOKEN_CONTRACT') return !(await isDeployedAsPredicted(chain, row))
  return carriesMints(row.txType) && outcomesOf(row, row.mintRequests, receipt).refused.length > 0
}

/** Whether a completed transaction was recorded by a receipt that wasn't the final one. */
function isOtherThanRecorded(row: SendingRow, { signed, receipt }: Mined, delivered: ReadonlySet<string>): boolean {
  // Its code decides about a deployment, whoever sent it.
  if (row.txType === 'DEPLOY_TOKEN_CONTRACT') return false
  if (row.txHash !== signed.hash || row.blockHash !== receipt.blockHash) return true
  if ((row.onChainStatus === 'SUCCESS') !== isSuccess(receipt, delivered)) return true
  const undone = refusedBy(row, { signed, receipt }).filter(({ state }) => state === 'COMPLETED')
  return undone.some(({ id }) => !delivered.has(id))
}

const isSuccess = ({ status }: Receipt, delivered: ReadonlySet<string>): boolean =>
  status === 'success' || delivered.size > 0

/** Whether a block lies as deep as the network's confirmations ask. */
export const isDeepEnough = ({ confirmations }: Network, { blockNumber }: Receipt, { head }: Tip): boolean =>
  head.number - blockNumber + 1n >= BigInt(confirmations)

export const placeOf = (signed: SignedRow, receipt: Receipt): Place => ({
  txHash: signed.hash,
  blockNumber: receipt.blockNumber,
  blockHash: receipt.blockHash,
  gasUsed: receipt.gasUsed,
  gasCostWei: (receipt.gasUsed * receipt.effectiveGasPrice + receipt.dataFeeWei).toString(),
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

/**
 * A consecutive batch succeeds or reverts as a whole. Its mints wait again, for an ordinary batch, which leaves one bad
 * entry out.
 */
async function requeueAsOrdinary(tx: Context, row: SendingRow, mints: readonly SendingMint[]): Promise<void> {
  if (mints.length > 0) await splitWaiting(tx, row, mints, { ordinary: true })
}

/**
 * Whether the contract is deployed as predicted. Where one node says in a final block that it isn't, several are asked.
 * Throws NotProved where they don't agree.
 */
async function isDeployedForSure(chain: Chain, row: SendingRow, isFinal: boolean): Promise<boolean> {
  if (await isDeployedAsPredicted(chain, row)) return true
  if (!isFinal) return false
  const isDeployed = await agreedAnswer(chain, (node) => isDeployedAsPredicted(node, row), String)
  if (isDeployed === null) throw new NotProved(`Nodes don’t agree about the code at ${row.collection.contractAddress}.`)
  return isDeployed
}

/** Deployed means the expected code at the predicted address, whoever sent it. */
async function isDeployedAsPredicted(chain: ChainReads, { collection }: SendingRow): Promise<boolean> {
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
    `The deployment ${receipt.hash} went through, but the expected contract isn’t at ` +
      `${row.collection.contractAddress}.`,
  )
  await abandonTransaction(tx, row, 'FAILED', WITHOUT_LOG, { ...place, onChainStatus: 'SUCCESS' })
}

async function applyMintReceipt(
  tx: Context,
  row: SendingRow,
  { signed, receipt }: Mined,
  place: Place,
  { isFinal, delivered }: { isFinal: boolean; delivered: ReadonlySet<string> },
): Promise<void> {
  const carried = carriedBy(row, signed)
  const outcomes = outcomesOf(row, carried, receipt)
  const refused = outcomes.refused.filter(({ mint }) => !delivered.has(mint.id))
  const minted = carried.filter((mint) => outcomes.minted.includes(mint) || delivered.has(mint.id))
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
        `The transaction ${receipt.hash} went through without ` +
          `${row.txType === 'ADMIN_MINT' ? 'any of its mints' : 'its transfer'}.`,
      )
      await advanceTransaction(tx, row, 'FAILED', {
        ...place,
        onChainStatus: 'SUCCESS',
        failure: refused[0]?.reason ?? WITHOUT_LOG,
        completedAt: tx.now(),
      })
    } else
      await complete(tx, row, { ...receipt, status: isSuccess(receipt, delivered) ? 'success' : 'reverted' }, place)
  }
  await advanceMints(
    tx,
    minted.filter(({ state }) => state === 'SUBMITTED'),
    'COMPLETED',
    { txHash: signed.hash },
  )
  if (!isFinal) return
  if (isRevertedBatch({ signed, receipt }))
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
