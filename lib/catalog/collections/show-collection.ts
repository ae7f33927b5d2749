import { operatorMayMint } from '../../orders/operator-may-mint.ts'
import type { z } from 'zod'
import type { Collection } from '../../../generated/prisma/client.ts'
import type { adminCollection, collection, deployment, reveal } from '../../platform/api/collection-record.ts'
import type { Context } from '../../platform/auth/context.ts'
import { type Capability, capabilitiesOf } from '../../core/contracts/capabilities.ts'
import { AppError } from '../../core/errors.ts'
import { columns, type RowOf } from '../../db/columns.ts'
import { absoluteUrlOf } from '../../records/media/media-urls.ts'
import { isHidden } from './reveal.ts'

type Public = z.output<typeof collection>
type Admin = z.output<typeof adminCollection>
type Reveal = z.output<typeof reveal>
export type DeploymentRecord = z.output<typeof deployment>

/** The columns of `collections c` that anyone may see once it is deployed. */
export const COLLECTION_COLUMNS = columns('c', 'Collection', [
  'id',
  'organizationId',
  'name',
  'symbol',
  'soulbound',
  'description',
  'externalLink',
  'imageUrl',
  'headerImageUrl',
  'thumbnailImageUrl',
  'baseUri',
  'deploymentType',
  'deploymentStatus',
  'maxSupply',
  'editableMetadata',
  'royaltyReceiver',
  'royaltyBps',
  'createdAt',
  'contractAddress',
  'networkId',
  'tokenType',
  'revealStrategy',
  'revealedAt',
  'revealCommitment',
  'revealProvenance',
  'revealedSeed',
])
export type PublicCollectionRow = RowOf<typeof COLLECTION_COLUMNS>
type RevealRow = Pick<
  Collection,
  'id' | 'revealStrategy' | 'revealedAt' | 'revealCommitment' | 'revealProvenance' | 'revealedSeed'
>

/** The capabilities of a deployed contract. A foreign contract counts as standard only, unless it lets us mint. */
export function capabilitiesOfCollection(
  row: Pick<
    Collection,
    'tokenType' | 'deploymentStatus' | 'deploymentType' | 'contractVersion' | 'minter' | 'soulbound'
  >,
): Capability[] {
  if (!row.tokenType || row.deploymentStatus !== 'SUCCESS') return []
  return operatorMayMint(row) ? capabilitiesOf(row.tokenType, row) : [row.tokenType, 'EIP165']
}

/** Throws `mint_not_allowed` for a foreign contract that doesn't let us mint: its items can't be delivered. */
export function assertOperatorMayMint(row: Pick<Collection, 'deploymentType' | 'minter'>): void {
  if (row.deploymentType === 'EXTERNAL' && row.minter === null)
    throw new AppError(
      'mint_not_allowed',
      'This collection’s contract is another’s and does not let us mint: ' +
        'its owner must give our operator the right first.',
    )
}

/** The collection's own royalty; null when it has none. */
export const royaltyOfCollection = (row: Pick<Collection, 'royaltyReceiver' | 'royaltyBps'>) =>
  row.royaltyReceiver === null ? null : { receiver: row.royaltyReceiver, amount_bps: row.royaltyBps ?? 0 }

const sharedFieldsOf = (ctx: Pick<Context, 'ports'>, row: PublicCollectionRow) => ({
  id: row.id,
  organization_id: row.organizationId,
  name: row.name,
  symbol: row.symbol,
  soulbound: row.soulbound,
  description: row.description,
  external_link: row.externalLink,
  image_url: absoluteUrlOf(row.imageUrl, ctx.ports.addresses.origin),
  base_uri: baseUriOf(ctx, row),
  max_supply: row.maxSupply,
  media: collectionMediaOf(row, ctx.ports.addresses.origin),
  editable_metadata: row.editableMetadata,
  royalty_info: royaltyOfCollection(row),
  reveal: revealOf(ctx, row),
  created_at: row.createdAt,
})

/** The state of a delayed reveal; null for a collection without one. The seed is included only after the reveal. */
export function revealOf(ctx: Pick<Context, 'ports'>, row: RevealRow): Reveal | null {
  if (row.revealStrategy !== 'DELAYED') return null
  return {
    state: isHidden(row) ? 'HIDDEN' : 'REVEALED',
    commitment: row.revealCommitment,
    provenance: row.revealProvenance,
    revealed_at: row.revealedAt,
    seed: row.revealedSeed,
    proof_url: `${ctx.ports.addresses.publicBase}/v1/collections/${row.id}/reveal`,
  }
}

const collectionMediaOf = (
  { headerImageUrl, thumbnailImageUrl }: Pick<Collection, 'headerImageUrl' | 'thumbnailImageUrl'>,
  origin: string,
) =>
  headerImageUrl || thumbnailImageUrl
    ? {
        header_image_url: absoluteUrlOf(headerImageUrl, origin),
        thumbnail_image_url: absoluteUrlOf(thumbnailImageUrl, origin),
      }
    : null

/** The base URI of token metadata: the contract's own, else ours. */
const baseUriOf = (ctx: Pick<Context, 'ports'>, row: PublicCollectionRow): string | null =>
  row.baseUri ??
  (row.deploymentType === 'PLATFORM' && row.deploymentStatus === 'SUCCESS'
    ? `${ctx.ports.addresses.publicBase}/v1/metadata/${row.id}/`
    : null)

/** The public view of a deployed collection. */
export function publicCollectionOf(ctx: Pick<Context, 'ports'>, row: PublicCollectionRow): Public {
  if (!row.contractAddress || row.networkId === null || !row.tokenType)
    throw new AppError('internal', 'A published collection has no contract.')
  return {
    ...sharedFieldsOf(ctx, row),
    contract: row.contractAddress,
    network_id: row.networkId,
    token_type: row.tokenType,
  }
}

type DeploymentRow = Pick<
  Collection,
  'deploymentStatus' | 'deploymentType' | 'networkId' | 'contractAddress' | 'deploymentTransactionId'
> & { deploymentFailure: string | null }

/** The columns of `collections c` that its organization sees besides those above. */
export const ADMIN_COLUMNS = columns('c', 'Collection', [
  'isPublic',
  'defaultItemTypeId',
  'deploymentTransactionId',
  'previewMetadata',
  'tokenIdAssignment',
  'contractVersion',
  'minter',
  'owner',
  'mode',
  'updatedAt',
])
/**
 * The fields of a collection's row that its organization sees, and the failure in the transaction of a failed
 * deployment.
 */
export type AdminCollectionRow = PublicCollectionRow & RowOf<typeof ADMIN_COLUMNS> & DeploymentRow

/** Adds the reasons of failed deployments, in one statement and only if there are any. */
async function withFailures(ctx: Context, rows: readonly Collection[]): Promise<(Collection & DeploymentRow)[]> {
  const failed = rows.filter(({ deploymentStatus }) => deploymentStatus === 'FAILED')
  const ids = failed.flatMap(({ deploymentTransactionId }) => deploymentTransactionId ?? [])
  const transactions = ids.length > 0 ? await ctx.db.transaction.findMany({ where: { id: { in: ids } } }) : []
  const failureOf = new Map(transactions.map(({ id, failure }) => [id, failure]))
  return rows.map((row) => ({
    ...row,
    deploymentFailure: failureOf.get(row.deploymentTransactionId ?? '') ?? null,
  }))
}

/** Collections as the organization sees them, in the order of the rows. */
export const adminCollectionsOf = async (ctx: Context, rows: readonly Collection[]): Promise<Admin[]> =>
  (await withFailures(ctx, rows)).map((row) => shownCollectionOf(ctx, row))

/** A collection as the organization sees it, of all that was read for it. */
export const shownCollectionOf = (ctx: Pick<Context, 'ports'>, row: AdminCollectionRow): Admin => ({
  ...sharedFieldsOf(ctx, row),
  contract: row.deploymentStatus === 'SUCCESS' ? row.contractAddress : null,
  network_id: row.networkId,
  token_type: row.tokenType,
  is_public: row.isPublic,
  default_item_type_id: row.defaultItemTypeId ?? 'default',
  reveal_strategy: row.revealStrategy,
  preview_metadata: row.previewMetadata as Record<string, unknown> | null,
  token_id_assignment_strategy: row.tokenIdAssignment,
  capabilities: capabilitiesOfCollection(row),
  owner: row.owner,
  mode: row.mode,
  deployment: deploymentRecordOf(row),
  updated_at: row.updatedAt,
})

export const adminCollectionOf = async (ctx: Context, row: Collection): Promise<Admin> =>
  (await adminCollectionsOf(ctx, [row]))[0]!

/** A collection's deployment; null when none was requested. */
export const deploymentOf = async (ctx: Context, row: Collection): Promise<DeploymentRecord | null> =>
  deploymentRecordOf((await withFailures(ctx, [row]))[0]!)

function deploymentRecordOf(row: DeploymentRow): DeploymentRecord | null {
  if (!row.deploymentStatus || !row.deploymentType || row.networkId === null || !row.contractAddress) return null
  return {
    status: row.deploymentStatus,
    type: row.deploymentType,
    network_id: row.networkId,
    transaction_id: row.deploymentTransactionId,
    contract: row.contractAddress,
    failure: row.deploymentStatus === 'FAILED' ? row.deploymentFailure || 'The deployment did not go through.' : null,
  }
}
