import type { Context } from '../../platform/auth/context.ts'
import { claimUrlOf } from '../../giving/claim-token.ts'

/** How far an organization is on its way to the first delivered gift; null where a step is still to be made. */
type FirstSteps = {
  collection: {
    id: string
    name: string
    networkId: number | null
    status: 'PENDING' | 'SUCCESS' | 'FAILED' | null
  } | null
  item: { id: string; title: string; isLocked: boolean } | null
  claim: { id: string; email: string; url: string | null } | null
}

/** null once a gift was delivered or something was sold, or when the steps were dismissed. */
export async function getFirstSteps(ctx: Context): Promise<FirstSteps | null> {
  const [organization, delivered, sold] = await Promise.all([
    ctx.db.organization.findFirstOrThrow({
      where: { id: ctx.organizationId },
      select: { firstStepsHiddenAt: true },
    }),
    ctx.db.emailClaim.findFirst({ where: { state: 'CLAIMED' }, select: { id: true } }),
    ctx.db.purchaseIntent.findFirst({
      where: { status: { in: ['CONFIRMED', 'UNRESOLVED'] } },
      select: { id: true },
    }),
  ])
  if (organization.firstStepsHiddenAt || delivered || sold) return null
  const collections = await ctx.db.collection.findMany({ orderBy: { id: 'desc' }, take: 100 })
  const collection =
    collections.find(({ deploymentStatus }) => deploymentStatus === 'SUCCESS') ??
    collections.find(({ deploymentStatus }) => deploymentStatus === 'PENDING') ??
    collections[0]
  if (!collection) return { collection: null, item: null, claim: null }
  const items = await ctx.db.item.findMany({
    where: { collectionId: collection.id },
    orderBy: { id: 'desc' },
    take: 100,
  })
  const item = items.find(({ lockedAt, held, minted }) => lockedAt && held === 0n && minted === 0n) ?? items[0]
  const claim = await ctx.db.emailClaim.findFirst({
    where: { state: { in: ['OPEN', 'REDEEMED'] } },
    orderBy: { id: 'desc' },
    include: { tokens: { orderBy: { generation: 'desc' }, take: 1, select: { hash: true } } },
  })
  const { id, name, networkId, deploymentStatus: status } = collection
  return {
    collection: { id, name, networkId, status },
    item: item ? { id: item.id, title: titleOf(item.attributes), isLocked: item.lockedAt !== null } : null,
    claim: claim && { id: claim.id, email: claim.email, url: claimUrlOf(ctx, claim) },
  }
}

const titleOf = (attributes: unknown): string => {
  const { title } = attributes as { title?: unknown }
  return typeof title === 'string' ? title : 'Your item'
}
