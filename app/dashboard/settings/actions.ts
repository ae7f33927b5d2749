'use server'

import { revalidatePath } from 'next/cache'
import { getLocale, getTranslations } from 'next-intl/server'
import { readPrice } from '@/components/dashboard/listings/price'
import { dashboardContext } from '@/lib/platform/auth/dashboard'
import type { ActionState } from '@/lib/platform/api/form-action'
import { act, save, wrongField } from '@/lib/platform/http/action'
import { actOnEach } from '@/lib/platform/http/bulk'
import { openedOf } from '@/lib/platform/http/changed-fields'
import { formBody } from '@/lib/platform/http/form-body'
import { findStoppedListings } from '@/lib/offers/listings/find-voucher-listings'
import { networkFacts } from '@/lib/offers/networks/network-facts'
import { findPayoutAddress } from '@/lib/organizations/find-payout-address'
import { getOrganization } from '@/lib/organizations/get-organization'
import { listTransferBudgets } from '@/lib/orders/list-transfer-budgets'
import { handlers as listings } from '@/lib/web/listings'
import { handlers as organizations } from '@/lib/web/organizations'
import { handlers as transfers } from '@/lib/web/transfers'
import { openedBudget } from './opened-budget'
import { openedOrganization } from './opened-organization'

const texts = () => getTranslations('dashboard.settings')
type Texts = Awaited<ReturnType<typeof texts>>

async function update(
  form: FormData,
  body: Record<string, unknown>,
  message: Parameters<Texts>[0] = 'saved',
): Promise<ActionState> {
  const { organizationId } = await dashboardContext()
  const done = await save(organizations.updateOrganization, {
    params: { organization_id: organizationId },
    form,
    body,
    read: async (ctx) => openedOrganization(await getOrganization(ctx)),
  })
  if (!done.ok) return done
  revalidatePath('/dashboard', 'layout')
  return { ok: true, message: (await texts())(done.value ? message : 'saved'), opened: done.opened }
}

export async function setPayoutAction(_: ActionState, form: FormData): Promise<ActionState> {
  const { payout_address, confirmed } = formBody(form)
  if (payout_address === null && confirmed === undefined && (await findPayoutAddress(await dashboardContext())))
    return wrongField('payout_address', (await texts())('payout.removeAsked'))
  return update(form, { payout_address }, payout_address === null ? 'payoutRemoved' : 'payoutSet')
}

/** Puts on sale again what has paused when the payout address was removed. */
export async function resumeStoppedAction(): Promise<ActionState> {
  const t = await getTranslations('dashboard.listings.payout')
  const stopped = await findStoppedListings(await dashboardContext())
  const { done, failed } = await actOnEach(
    stopped.map(({ id }) => id),
    (listing_id) => act(listings.updateListing, { params: { listing_id }, body: { status: 'ACTIVE' } }),
  )
  revalidatePath('/dashboard', 'layout')
  const [first] = failed
  if (first?.failure)
    return { ...first.failure, message: `${t('notResumed', { count: failed.length })} ${first.reason}` }
  return { ok: true, message: t('resumed', { count: done.length }) }
}

export async function setProfileAction(_: ActionState, form: FormData): Promise<ActionState> {
  const { name, terms_url, contact_email, locale, shows_vitrine } = formBody(form)
  return update(form, { name, terms_url, contact_email, locale, shows_vitrine })
}

export async function setLookAction(_: ActionState, form: FormData): Promise<ActionState> {
  const { brand } = formBody(form)
  return update(form, { brand }, 'lookSaved')
}

export async function setDomainAction(_: ActionState, form: FormData): Promise<ActionState> {
  const { web_domain } = formBody(form)
  if (web_domain !== null && web_domain === openedOf(form)?.web_domain) return checkDomainAgain(form)
  return update(form, { web_domain }, web_domain === null ? 'domainRemoved' : 'domainChecked')
}

/** The domain that is set is checked when it is sent again. */
async function checkDomainAgain(form: FormData): Promise<ActionState> {
  const ctx = await dashboardContext()
  const { web_domain } = openedOrganization(await getOrganization(ctx))
  const done = await act(organizations.updateOrganization, {
    params: { organization_id: ctx.organizationId },
    form,
    body: { web_domain },
  })
  if (!done.ok) return done
  revalidatePath('/dashboard', 'layout')
  return { ok: true, message: (await texts())(web_domain === null ? 'saved' : 'domainChecked') }
}

export async function setEmbeddingAction(_: ActionState, form: FormData): Promise<ActionState> {
  const { embed_origins } = formBody(form)
  return update(form, { embed_origins })
}

export async function setPasskeysAction(_: ActionState, form: FormData): Promise<ActionState> {
  const { requires_passkeys } = formBody(form)
  return update(form, { requires_passkeys }, requires_passkeys ? 'passkeysNeeded' : 'saved')
}

export async function setOidcRolesAction(_: ActionState, form: FormData): Promise<ActionState> {
  const { follows_oidc_roles } = formBody(form)
  return update(form, { follows_oidc_roles })
}

/**
 * Sets what is paid a day for transfers on a network. It is typed in coins; an empty field restores what is usual
 * there.
 */
export async function setTransferBudgetAction(networkId: number, _: ActionState, form: FormData): Promise<ActionState> {
  const { daily_wei: typed } = formBody(form)
  const currency = networkFacts(await dashboardContext()).find(({ id }) => id === networkId)?.currency
  const { decimals, symbol } = currency ?? { decimals: 18, symbol: '' }
  const t = await getTranslations('dashboard.listings')
  const read =
    typed === null ? null : readPrice(t, String(typed ?? ''), await getLocale(), { decimals, currency: symbol })
  if (read && 'wrong' in read) return wrongField('daily_wei', read.wrong)
  const done = await save(transfers.setTransferBudget, {
    params: { network_id: String(networkId) },
    form,
    body: { daily_wei: read?.minor.toString() ?? null },
    read: async (ctx) => {
      const { results } = await listTransferBudgets(ctx)
      return openedBudget(results.find(({ network_id }) => network_id === networkId))
    },
  })
  if (!done.ok) return done
  revalidatePath('/dashboard/settings')
  return { ok: true, message: (await texts())('saved'), opened: done.opened }
}
