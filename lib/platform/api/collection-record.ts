import { zeroAddress } from 'viem'
import { z } from 'zod'
import { address, count, timestamp, uuid } from '../../core/wire.ts'
import { itemTypeId } from './attributes.ts'

export const TOKEN_TYPES = ['ERC721', 'ERC1155'] as const
export const TOKEN_ID_ASSIGNMENTS = ['AUTOMATIC', 'MANUAL'] as const
export const DEPLOYMENT_TYPES = ['PLATFORM', 'EXTERNAL'] as const
export const DEPLOYMENT_STATUSES = ['PENDING', 'SUCCESS', 'FAILED'] as const
export const REVEAL_STRATEGIES = ['INSTANT', 'DELAYED'] as const

export const royaltyInfo = z
  .strictObject({
    receiver: address,
    amount_bps: z.int().min(0).max(10_000).describe('Basis points of a sale: 250 is 2.5 %.'),
  })
  .refine(({ receiver, amount_bps }) => amount_bps === 0 || receiver !== zeroAddress, {
    error: 'A royalty needs a receiver.',
    path: ['receiver'],
  })
  .meta({ id: 'RoyaltyInfo', example: { receiver: '0x70997970C51812dc3A010C7d01b50e0d17dc79C8', amount_bps: 250 } })

const collectionMedia = z
  .object({ header_image_url: z.string().nullable(), thumbnail_image_url: z.string().nullable() })
  .meta({ id: 'CollectionMedia' })

export const reveal = z
  .object({
    state: z.enum(['HIDDEN', 'REVEALED']),
    commitment: z.string().nullable().describe('SHA-256 of the seed, known before anything is sold.'),
    provenance: z
      .string()
      .nullable()
      .describe(
        'SHA-256 over the contents of the locked items, in the order of their token ids. ' +
          'It is final from the first claim, listing, purchase or mint on; null before an item is locked.',
      ),
    revealed_at: timestamp.nullable(),
    seed: z.string().nullable().describe('null until it is used.'),
    proof_url: z.string().describe('Everything that is needed to verify the reveal.'),
  })
  .meta({ id: 'Reveal' })

export const collection = z
  .object({
    id: uuid,
    organization_id: uuid,
    name: z.string(),
    contract: address,
    network_id: z.int(),
    token_type: z.enum(TOKEN_TYPES),
    symbol: z.string().nullable(),
    soulbound: z.boolean(),
    description: z.string().nullable(),
    external_link: z.string().nullable(),
    image_url: z.string().nullable(),
    base_uri: z.string().nullable().describe('A token’s metadata is at this address followed by its id.'),
    max_supply: count.nullable(),
    media: collectionMedia.nullable(),
    editable_metadata: z.boolean().describe('Attributes may change after minting.'),
    royalty_info: royaltyInfo.nullable(),
    reveal: reveal.nullable().describe('The delayed reveal; null where nothing was ever hidden.'),
    created_at: timestamp,
  })
  .meta({ id: 'Collection' })

export const deployment = z
  .object({
    status: z.enum(DEPLOYMENT_STATUSES),
    type: z.enum(DEPLOYMENT_TYPES),
    network_id: z.int(),
    transaction_id: uuid.nullable().describe('null for an EXTERNAL contract.'),
    contract: address.describe('Where the contract is, or will be.'),
    failure: z.string().nullable(),
  })
  .meta({ id: 'Deployment' })

export const tokenContract = z
  .object({
    address: address.nullable(),
    capabilities: z.array(z.string()),
    deploy_tx_id: uuid.nullable().describe('Our transaction that deployed it.'),
    network_id: z.int().nullable(),
    symbol: z.string().nullable(),
    token_type: z.enum(TOKEN_TYPES),
    tx_hash: z.string().nullable().describe('The chain’s transaction that deployed it.'),
  })
  .meta({ id: 'TokenContract' })

/** The public record, whose contract fields are null before a deployment, and what only the organization sees. */
export const adminCollection = collection
  .extend({
    contract: address.nullable(),
    network_id: z.int().nullable(),
    token_type: z.enum(TOKEN_TYPES).nullable(),
    is_public: z.boolean(),
    default_item_type_id: itemTypeId,
    reveal_strategy: z.enum(REVEAL_STRATEGIES),
    preview_metadata: z.record(z.string(), z.unknown()).nullable(),
    token_id_assignment_strategy: z.enum(TOKEN_ID_ASSIGNMENTS),
    capabilities: z.array(z.string()),
    owner: address.nullable().describe('The account that may set roles on the contract and transfer its ownership.'),
    mode: z
      .enum(['TEST', 'LIVE'])
      .nullable()
      .describe('TEST on a testnet, else LIVE; null before a deployment is requested.'),
    deployment: deployment.nullable(),
    updated_at: timestamp,
  })
  .meta({ id: 'AdminCollection' })
