import { z } from 'zod'
import { address, count, digits, email, optional, quantity, timestamp, uint, uuid } from '../../core/wire.ts'
import { endpoint } from './endpoint.ts'
import { STORY } from './story.ts'

const area = 'Transfers'

const TRANSFER_STATES = ['PENDING', 'SUBMITTED', 'COMPLETED', 'FAILED'] as const

/** Why a transfer failed, or is refused, for programs. */
const TRANSFER_FAILURES = [
  'expired',
  'nonce_used',
  'not_owner',
  'receiver_refused',
  'signature_refused',
  'too_much_gas',
  'reverted',
] as const
export type TransferFailure = (typeof TRANSFER_FAILURES)[number]

/** Why the holder of a token pays the gas of sending it, for programs. */
const HOLDER_PAYS_REASONS = [
  'not_offered',
  'token_sent_today',
  'holder_limit',
  'budget_spent',
  'too_much_gas',
  'not_signed',
  'not_transferable',
] as const
export type HolderPaysReason = (typeof HOLDER_PAYS_REASONS)[number]

/** Where a token is that its holder sent to a mailbox. */
const ESCROW_STATES = ['WAITING', 'HELD', 'TAKEN', 'RETURNING', 'RETURN_REFUSED', 'RETURNED', 'ENDED'] as const
export type EscrowShown = (typeof ESCROW_STATES)[number]

const transfer = z
  .object({
    id: uuid,
    collection_id: uuid,
    item_id: uuid,
    network_id: z.int(),
    contract_address: address,
    token_id: z.string(),
    quantity: count,
    from_address: address.describe('The holder, who signed it.'),
    to_address: address.describe('Receives the token.'),
    nonce: uint.describe('The number that the holder signed with.'),
    deadline: z.int().describe('Unix seconds. The network takes it up to and including this second.'),
    state: z
      .enum(TRANSFER_STATES)
      .describe(
        'COMPLETED once the transfer is on the chain, confirmations deep, whoever sent it; a reorg may take ' +
          'it back to SUBMITTED. FAILED is permanent: a further attempt needs another nonce and signature. ' +
          'It isn’t sent again; until its deadline somebody else may still send what its holder signed, ' +
          'unless the holder cancels the nonce.',
      ),
    tx_hash: z.string().nullable().describe('May change while it is SUBMITTED: raising the fee gives another hash.'),
    explorer_url: z.string().nullable(),
    failure: z
      .object({ code: z.enum(TRANSFER_FAILURES).describe('The reason, for programs.'), message: z.string() })
      .nullable()
      .describe('Why it failed; null unless it did.'),
    escrow: z
      .object({
        state: z
          .enum(ESCROW_STATES)
          .describe(
            'WAITING: the token isn’t with the operator yet. HELD: it is kept for the recipient. ' +
              'TAKEN: the recipient has it. RETURNING, RETURNED: nobody took it, and it goes back to from_address. ' +
              'RETURN_REFUSED: that address refuses it, so it stays with the operator. ' +
              'ENDED: the token never came, and nobody was mailed.',
          ),
        held_until: timestamp
          .nullable()
          .describe('Until when the recipient can take it; null before the mail is written.'),
        failure: z.string().nullable().describe('Why from_address refused it; null unless it did.'),
      })
      .nullable()
      .describe(
        'Of a token that was sent to a mailbox; else null. It names neither the mailbox nor the recipient’s wallet.',
      ),
    created_at: timestamp,
    completed_at: timestamp.nullable(),
  })
  .meta({ id: 'SignedTransfer' })

const field = z.object({
  name: z.string().describe('The field’s name.'),
  type: z.string().describe('The field’s type.'),
})

const typedData = z.object({
  domain: z.object({
    name: z.string(),
    version: z.string(),
    chainId: z.int(),
    verifyingContract: address.describe('The token’s contract.'),
  }),
  types: z.object({ TransferWithSignature: z.array(field).readonly().describe('The fields of the message.') }),
  primaryType: z.literal('TransferWithSignature'),
  message: z.object({
    tokenId: uint.describe('Id of the token.'),
    amount: uint.optional().describe('Units of an ERC-1155 token; absent on ERC-721.'),
    from: address.describe('The holder, who signs.'),
    to: address.describe('Receives the token.'),
    nonce: uint.describe('A new random one; sent back as `nonce`.'),
    deadline: z.int().describe('An hour ahead, in Unix seconds; sent back as `deadline`.'),
  }),
})

const hexSignature = z
  .string()
  .max(4100)
  .regex(/^0x(?:[0-9a-fA-F]{2}){1,2048}$/, 'A signature in hex is needed: 0x and an even number of digits.')

export const createTransfer = endpoint({
  id: 'create-transfer',
  method: 'POST',
  path: '/public/v1/transfers',
  area,
  auth: 'anonymous',
  summary: 'Send a token whose holder has signed for it',
  description:
    'The holder signs EIP-712 typed data (`typed_data` of GET /public/v1/transfer-terms) and the organization ' +
    'pays the gas. Name the collection by collection_id, or by network_id and contract_address. ' +
    'The transfer is simulated first, and refused with `transfer_refused` where it would revert. ' +
    'The same request gives the same transfer; another one with the same from_address and nonce is refused with ' +
    '`transfer_exists`; once it was sent, the mailbox named first holds, whichever a repeated request names. ' +
    'A token is sent once a day, a holder sends three tokens a day, and the organization has a daily budget: ' +
    'beyond these the answer is `holder_pays`, and the holder sends it himself. ' +
    'With an email, to_address is the operator that `GET /public/v1/transfer-terms` names: ' +
    'it keeps the token for whoever proves that mailbox, for 30 days, and then returns it to from_address.',
  body: z.strictObject({
    collection_id: optional(uuid),
    network_id: optional(z.int()),
    contract_address: optional(address),
    token_id: uint.describe('Id of the token.'),
    quantity: optional(quantity).describe('Units of an ERC-1155 token; 1 unless given.'),
    from_address: address.describe('The holder, who signed it.'),
    to_address: address.describe('Receives the token.'),
    email: optional(email).describe(
      'The mailbox that the token is for. It is mailed once the token has arrived at to_address, ' +
        'the operator that keeps it until then.',
    ),
    nonce: uint.describe('Any number that the holder hasn’t signed with before; a random one is best.'),
    deadline: z.int().min(0).describe('Unix seconds, at least a minute and at most a day ahead.'),
    signature: hexSignature.describe(
      'The holder’s signature: 64 or 65 bytes, or what the holder’s contract takes (ERC-1271).',
    ),
  }),
  response: transfer,
  status: 201,
  errors: [
    'not_found',
    'transfer_unsupported',
    'transfer_refused',
    'transfer_exists',
    'holder_pays',
    'address_cannot_receive',
    'signature_invalid',
    'address_suppressed',
    'suspended',
    'recovering',
    'unavailable',
  ],
  example: {
    collection_id: STORY.collection,
    token_id: '7',
    from_address: STORY.ada,
    to_address: STORY.grace,
    nonce: '81985529216486895',
    deadline: 1795176000,
    signature: `0x${'1b'.repeat(65)}`,
  },
})

export const getTransfer = endpoint({
  id: 'get-transfer',
  method: 'GET',
  path: '/public/v1/transfers/{transfer_id}',
  area,
  auth: 'anonymous',
  summary: 'Get a transfer',
  params: z.object({ transfer_id: uuid.describe('Id of the transfer.') }),
  response: transfer,
})

export const returnTransfer = endpoint({
  id: 'return-transfer',
  method: 'POST',
  path: '/v1/transfers/{transfer_id}/return',
  area,
  auth: 'api_key',
  permission: 'email_claims:write',
  summary: 'Return a token to its sender',
  description:
    'Of a token that was sent to a mailbox: once more where its sender’s address refused it (RETURN_REFUSED), or ' +
    'where the mailbox was lost when a backup was put back, as an alarm says. Any other is refused with `conflict`.',
  params: z.object({ transfer_id: uuid.describe('Id of the transfer.') }),
  body: z.strictObject({}),
  response: transfer,
  errors: ['conflict'],
  example: {},
})

export const getTransferTerms = endpoint({
  id: 'get-transfer-terms',
  method: 'GET',
  path: '/public/v1/transfer-terms',
  area,
  auth: 'anonymous',
  summary: 'How a token can be sent, and what to know of its receiver',
  description:
    'For pages that offer to send a token. Nothing of it promises anything: `POST /public/v1/transfers` judges anew. ' +
    'It calls the token’s network.',
  query: z.object({
    collection_id: uuid,
    token_id: uint.describe('Id of the token.'),
    from_address: address.describe('The holder.'),
    to_address: address
      .nullish()
      .describe(
        'The receiver, where it is known already; `escrow.to_address` for a mailbox. It is needed for `typed_data`.',
      ),
    quantity: digits(1).nullish().describe('Units of an ERC-1155 token; 1 unless given.'),
  }),
  shortNames: { from: 'from_address', to: 'to_address' },
  response: z
    .object({
      network_id: z.int(),
      contract_address: address,
      token_type: z.enum(['ERC721', 'ERC1155']),
      transferable: z
        .boolean()
        .describe('Whether tokens of this collection can be transferred at all: soulbound ones can’t.'),
      signed: z
        .boolean()
        .describe(
          'Whether the contract takes signed transfers: `transferWithSignature`, under the EIP-712 domain Vitrine, ' +
            'version 1. Contracts of older collections and of others don’t.',
        ),
      gas_payer: z.enum(['ORGANIZATION', 'HOLDER']).describe('Who pays the gas of the next transfer.'),
      reason: z.string().nullable().describe('Why the holder pays, for people; null where the organization does.'),
      reason_code: z
        .enum(HOLDER_PAYS_REASONS)
        .nullable()
        .describe('The same for programs; `reason` of a `holder_pays` problem is one of these, too.'),
      receiver: z
        .object({
          is_contract: z.boolean().describe('A contract has this address on the token’s network.'),
          is_organizations_own: z
            .boolean()
            .describe(
              'The address is the organization’s payout address, one of its operators or signers, ' +
                'or the collection’s contract.',
            ),
        })
        .nullable(),
      escrow: z
        .object({
          to_address: address.describe('The operator that the holder signs the token over to.'),
          days: z.int().describe('How long it is kept for the recipient before it goes back.'),
        })
        .nullable()
        .describe('How a token is sent to a mailbox (`email` of `POST /public/v1/transfers`); null where it can’t be.'),
      transfer_id: uuid
        .nullable()
        .describe('The transfer of this token by this holder that is under way; null where there is none.'),
      typed_data: typedData
        .nullable()
        .describe(
          'EIP-712 typed data of this transfer, as `eth_signTypedData_v4` and libraries take it; null without ' +
            'to_address, and where the contract takes no signed transfers. Each answer has another nonce.',
        ),
    })
    .meta({ id: 'TransferTerms' }),
  errors: ['not_found', 'unavailable'],
})
