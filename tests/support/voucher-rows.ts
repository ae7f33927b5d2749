import { encodeEventTopics, type Hex } from 'viem'
import type { Voucher } from '../../generated/prisma/client.ts'
import { vitrine1155Abi } from '../../lib/core/contracts/abi.ts'
import { newId } from '../../lib/core/id.ts'
import type { ChainLogRow } from '../../lib/onchain/indexer/moves-of.ts'
import { makeAddress, makeVoucherRedeemed, type TestCollection } from './chain-logs.ts'
import type { TestOrganization } from './organization.ts'
import { columnsOf, makeTerms } from './voucher-terms.ts'

type Collection = TestCollection & { itemIds: string[]; contractAddress: string }

/**
 * A voucher for the first item, made out to test address 7, with a claim and its hold, or for the claim that is given.
 */
export async function makeVoucher(
  { ctx, id: organizationId }: TestOrganization,
  collection: Collection,
  nonce: bigint,
  more: Partial<Pick<Voucher, 'expiry' | 'state'>> = {},
  claimId?: string,
) {
  const own = { organizationId, collectionId: collection.id, itemId: collection.itemIds[0]! }
  const claim = claimId
    ? await ctx.db.emailClaim.findFirstOrThrow({ where: { id: claimId } })
    : await ctx.db.emailClaim.create({
        data: { id: newId(), ...own, email: 'ada@example.com', quantity: 1n, txPayer: 'BUYER' },
      })
  const ofClaim = { holderType: 'CLAIM' as const, holderId: claim.id }
  const hold = claimId
    ? await ctx.db.hold.findFirstOrThrow({ where: ofClaim })
    : await ctx.db.hold.create({ data: { id: newId(), ...own, ...ofClaim, quantity: 1n } })
  const voucher = await ctx.db.voucher.create({
    data: {
      id: newId(),
      ...own,
      claimId: claim.id,
      networkId: 31337,
      contract: collection.contractAddress,
      ...columnsOf(makeTerms({ minter: makeAddress(7), nonce, expiry: 2_000_000_000n })),
      signature: '0x',
      ...more,
    },
  })
  const states = async () => [
    (await ctx.db.voucher.findUniqueOrThrow({ where: { id: voucher.id } })).state,
    (await ctx.db.emailClaim.findUniqueOrThrow({ where: { id: claim.id } })).state,
    (await ctx.db.hold.findUniqueOrThrow({ where: { id: hold.id } })).state,
  ]
  return { voucher, claim, hold, states }
}

export function makeVoucherCancelled(
  collection: TestCollection,
  at: Parameters<typeof makeVoucherRedeemed>[1],
  { tokenId, nonce }: { tokenId: bigint; nonce: bigint },
): ChainLogRow {
  const topics = encodeEventTopics({
    abi: vitrine1155Abi,
    eventName: 'VoucherCancelled',
    args: { tokenId, nonce },
  }) as Hex[]
  return { ...makeVoucherRedeemed(collection, at, nonce), topics }
}
