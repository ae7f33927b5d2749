import type { Collection, Prisma } from '../../../generated/prisma/client.ts'
import { recordAudit } from '../../records/audit/record-audit.ts'
import { type Context, inTransaction } from '../../platform/auth/context.ts'
import { fieldError, notFound } from '../../core/errors.ts'
import { isUniqueViolation } from '../../db/errors.ts'
import { spendGasBudget } from '../../orders/gas-budget.ts'
import { openTransaction } from '../../orders/open-transaction.ts'
import { recordDeployed } from './advance-deployment.ts'
import { assertSupply, lockedStockOf } from './assert-supply.ts'
import { lockCollection } from './lock-collection.ts'
import {
  alreadyDeployed,
  type DeploymentBody,
  prepareDeployment,
  type PreparedDeployment,
} from './prepare-deployment.ts'
import { isHidden } from './reveal.ts'
import { type DeploymentRecord, deploymentOf } from './show-collection.ts'

/**
 * Deploys a collection's contract, or connects an existing one. A failed deployment can be requested again. Throws what
 * `prepareDeployment` throws, `collection_already_deployed`, `supply_invalid` and `deployment_invalid`.
 */
export async function requestDeployment(
  ctx: Context,
  collectionId: string,
  body: DeploymentBody,
): Promise<DeploymentRecord> {
  if (!(await ctx.db.collection.findFirst({ where: { id: collectionId }, select: { id: true } }))) throw notFound()
  const prepared = await prepareDeployment(ctx, body)
  return withContractTakenError(() =>
    inTransaction(ctx, async (tx) => (await deploymentOf(tx, await applyDeployment(tx, collectionId, prepared)))!),
  )
}

/** Writes a prepared deployment in the caller's transaction and opens its transaction on chain, where it needs one. */
export async function applyDeployment(
  tx: Context,
  collectionId: string,
  prepared: PreparedDeployment,
): Promise<Collection> {
  const before = await lockCollection(tx, collectionId)
  const columns = prepared.columnsFor(before)
  if (isSameContract(before, columns)) return refreshContractRights(tx, before, columns)
  if (before.deploymentStatus !== null && before.deploymentStatus !== 'FAILED') throw alreadyDeployed()
  if (isHidden(before) && (columns.tokenType !== 'ERC721' || columns.deploymentType === 'EXTERNAL'))
    throw fieldError(
      'deployment_invalid',
      'platform.variant',
      'A delayed reveal goes with an ERC-721 contract of ours only.',
    )
  if (columns.tokenType === 'ERC721')
    await tx.db.item.updateMany({
      where: { collectionId, lockedAt: { not: null }, maxSupply: null },
      data: { maxSupply: 1n },
    })
  const locked = await lockedStockOf(tx, collectionId)
  assertSupply(columns as Pick<Collection, 'tokenType' | 'tokenIdAssignment' | 'maxSupply'>, locked)
  const transactionId = prepared.needsTransaction ? await openDeployment(tx, collectionId, prepared.networkId) : null
  const after = await tx.db.collection.update({
    where: { id: collectionId },
    data: {
      ...columns,
      deploymentTransactionId: transactionId,
      nextTokenId: nextTokenId(before, locked.highestTokenId),
    },
  })
  await recordAudit(tx, {
    action: 'collection.deployment_requested',
    subject: { type: 'collection', id: collectionId },
    after: { ...columns, transactionId },
  })
  if (after.deploymentStatus === 'SUCCESS') await recordDeployed(tx, after)
  return after
}

type Columns = ReturnType<PreparedDeployment['columnsFor']>

const isSameContract = (before: Collection, columns: Columns): boolean =>
  before.deploymentType === 'EXTERNAL' &&
  columns.deploymentType === 'EXTERNAL' &&
  before.networkId === columns.networkId &&
  before.contractAddress === columns.contractAddress &&
  before.tokenType === columns.tokenType

/** Updates the rights that a connected contract grants us: its owner may have given or withdrawn our right to mint. */
async function refreshContractRights(
  tx: Context,
  before: Collection,
  { owner, minter, symbol, contractVersion }: Columns,
): Promise<Collection> {
  const after = await tx.db.collection.update({
    where: { id: before.id },
    data: { owner, minter, symbol, contractVersion },
  })
  const rights = (row: Collection) => ({ owner: row.owner, minter: row.minter })
  await recordAudit(tx, {
    action: 'collection.contract_asked',
    subject: { type: 'collection', id: before.id },
    before: rights(before),
    after: rights(after),
  })
  return after
}

/** Skips token ids that were chosen by hand under an earlier, failed deployment. */
const nextTokenId = (before: Collection, highest: bigint): Prisma.CollectionUncheckedUpdateInput['nextTokenId'] =>
  highest >= before.nextTokenId && highest < 2n ** 62n ? highest + 1n : before.nextTokenId

async function openDeployment(tx: Context, collectionId: string, networkId: number): Promise<string> {
  const gasWei = await spendGasBudget(tx, networkId)
  return openTransaction(tx, { collectionId, networkId, txType: 'DEPLOY_TOKEN_CONTRACT', payload: {}, gasWei })
}

/** Runs `work` and throws `deployment_invalid` when the contract belongs to another collection of the installation. */
export async function withContractTakenError<T>(work: () => Promise<T>, field = 'external.address'): Promise<T> {
  try {
    return await work()
  } catch (error) {
    if (isUniqueViolation(error, 'contract_address'))
      throw fieldError('deployment_invalid', field, 'This contract is a collection here already.')
    throw error
  }
}
