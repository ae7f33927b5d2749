import type { Organization } from '../../generated/prisma/client.ts'
import type { Input, Output } from '../platform/api/endpoint.ts'
import type { updateOrganization as endpoint } from '../platform/api/organizations.ts'
import { recordAudit } from '../records/audit/record-audit.ts'
import { onPayoutRemoved } from '../offers/listings/on-payout-removed.ts'
import { onProtectedChange } from '../messaging/on-protected-change.ts'
import { type Answer, askOutside } from '../db/ask-outside.ts'
import { type Context, inTransaction } from '../platform/auth/context.ts'
import { hasPasskey } from '../platform/auth/passkeys.ts'
import { assertWithinOwnRole } from '../platform/auth/roles.ts'
import { AppError, notFound } from '../core/errors.ts'
import { localeGiven } from '../core/locale-given.ts'
import { updatedBrandOf, assertOwnLogo } from './brand.ts'
import { organizationOf } from './get-organization.ts'
import { listPayoutWarnings, listStoppedListings } from './payout-warnings.ts'
import { checkedDomain, checkWebDomain } from './web-domain.ts'

type Body = Input<typeof endpoint>['body']

/**
 * Changes what people see of the organization, payout address, embedding origins, whether members need passkeys and
 * where their roles come from. A web domain is checked each time it is given. Without a payout address, what is sold by
 * mint voucher pauses. The result warns of that, and of networks where a payout would be lost.
 */
export async function updateOrganization(ctx: Context, id: string, body: Body): Promise<Output<typeof endpoint>> {
  if (id !== ctx.organizationId) throw notFound()
  await assertOwnLogo(ctx, body.brand?.logo_url)
  return askOutside(
    ctx,
    { table: 'organizations', id },
    () => lookOutside(ctx, body),
    (answer) => applyChange(ctx, body, answer),
  )
}

type OutsideFacts = Awaited<ReturnType<typeof lookOutside>>

/** The organization as it is, and what chains and the web say of what is given. */
async function lookOutside(ctx: Context, body: Body) {
  const before = await ctx.db.organization.findFirst({ where: { id: ctx.organizationId } })
  if (!before) throw notFound()
  const locale = body.locale === undefined ? undefined : localeGiven(body.locale)
  const payout = body.payout_address === undefined ? before.payoutAddress : body.payout_address
  const [warnings, domain] = await Promise.all([
    payout ? listPayoutWarnings(ctx, payout) : [],
    domainChange(ctx, before, body.web_domain),
  ])
  return { before, locale, warnings, domain }
}

const applyChange = (
  ctx: Context,
  body: Body,
  answer: Answer<'organizations', OutsideFacts>,
): Promise<Output<typeof endpoint>> =>
  inTransaction(ctx, async (tx) => {
    const { before, locale, warnings, domain } = await answer.take(tx)
    const { id } = before
    const demands = body.requires_passkeys ?? before.requiresPasskeys
    if (demands !== before.requiresPasskeys) await assertMayDecideOnPasskeys(tx, demands)
    const follows = body.follows_oidc_roles ?? before.followsOidcRoles
    if (follows !== before.followsOidcRoles)
      await assertWithinOwnRole(tx, ['OWNER'], 'Only an owner decides whether the sign-in provider gives roles.')
    const after = await tx.db.organization.update({
      where: { id },
      data: {
        name: body.name,
        payoutAddress: body.payout_address,
        embedOrigins: body.embed_origins,
        requiresPasskeys: body.requires_passkeys,
        followsOidcRoles: body.follows_oidc_roles,
        brand: updatedBrandOf(before, body.brand, ctx.ports.addresses.origin),
        termsUrl: body.terms_url,
        contactEmail: body.contact_email,
        showsVitrine: body.shows_vitrine,
        locale,
        ...domain,
      },
    })
    if (after.payoutAddress !== before.payoutAddress)
      await onProtectedChange(
        tx,
        after.payoutAddress ? { what: 'payoutChanged', address: after.payoutAddress } : { what: 'payoutRemoved' },
      )
    if (after.requiresPasskeys !== before.requiresPasskeys)
      await onProtectedChange(tx, { what: demands ? 'passkeysNeeded' : 'passkeysOptional' })
    if (after.followsOidcRoles !== before.followsOidcRoles)
      await onProtectedChange(tx, { what: follows ? 'rolesFollow' : 'rolesFree' })
    if (body.payout_address === null) await onPayoutRemoved(tx)
    await recordAudit(tx, { action: 'organization.updated', subject: { type: 'organization', id }, before, after })
    const stopped = after.payoutAddress ? [] : await listStoppedListings(tx)
    return organizationOf(tx, after, [...warnings, ...stopped])
  })

/** The changes of the row by a given domain: a new one isn't shown until it was found once. */
async function domainChange(ctx: Context, before: Organization, given: string | null | undefined) {
  if (given === undefined) return {}
  const none = { webDomainFoundAt: null, webDomainCheckedAt: null, webDomainDueAt: null }
  if (given === null) return { webDomain: null, ...none }
  const isNew = given !== before.webDomain
  const check = await checkWebDomain(ctx.ports, before.id, given)
  return { webDomain: given, ...(isNew && none), ...checkedDomain(check, ctx.now(), isNew) }
}

/** Whoever asks others for a passkey must have one, or they would lock themselves out of what they just set. */
async function assertMayDecideOnPasskeys(tx: Context, demands: boolean): Promise<void> {
  await assertWithinOwnRole(tx, ['OWNER'], 'Only an owner decides whether members need a passkey.')
  if (demands && !(await hasPasskey(tx)))
    throw new AppError('passkey_required', 'Register a passkey of your own first.')
}
