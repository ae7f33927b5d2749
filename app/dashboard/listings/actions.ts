'use server'

import { revalidatePath } from 'next/cache'
import { redirect } from 'next/navigation'
import { getLocale, getTranslations } from 'next-intl/server'
import { checkList } from '@/components/dashboard/listings/allow-list'
import { readPrice } from '@/components/dashboard/listings/price'
import * as api from '@/lib/platform/api/listings'
import { dashboardContext } from '@/lib/platform/auth/dashboard'
import { CURRENCIES, isCardCurrency } from '@/lib/core/money'
import type { ActionState, BulkOutcome } from '@/lib/platform/api/form-action'
import { act, save, withWrongFields, wrongField } from '@/lib/platform/http/action'
import { actOnEach } from '@/lib/platform/http/bulk'
import { changeableOf } from '@/lib/platform/http/changed-fields'
import { formBody } from '@/lib/platform/http/form-body'
import { checkListing } from '@/lib/offers/listings/check-listing'
import { getListing } from '@/lib/offers/listings/get-listing'
import { paymentTokensOf } from '@/lib/offers/networks/payment-tokens'
import { handlers as allowLists } from '@/lib/web/allow-lists'
import { handlers as listings } from '@/lib/web/listings'

const pathOf = (listingId: string) => `/dashboard/listings/${listingId}`

/** Creates a listing. Prices are typed in whole units; the endpoint takes minor units. */
export async function createListingAction(networkId: number, _: ActionState, form: FormData): Promise<ActionState> {
  const { kind: _kind, price: typed, allow_list, ...given } = formBody(form)
  const [t, locale] = [await getTranslations('dashboard.listings'), await getLocale()]
  const currency = String(given.currency ?? '')
  const price = typeof typed === 'string' ? readPrice(t, typed, locale, await currencyOf(networkId, currency)) : null
  const wrongLines = allow_list === undefined ? null : wrongLinesIn(form, t)
  const wrong = {
    ...(price && 'wrong' in price && { price: [price.wrong] }),
    ...(wrongLines && { 'policy.eth_addresses': [wrongLines] }),
  }
  const body = { ...given, ...(price && { price: 'minor' in price ? price.minor.toString() : '0' }) }
  if (Object.keys(wrong).length > 0) {
    const checked = await act(
      { endpoint: api.createListing, verb: (ctx, input) => checkListing(ctx, input.body) },
      { form, body },
    )
    return withWrongFields(wrong, checked.ok ? null : checked)
  }
  const done = await act(listings.createListing, { form, body })
  if (!done.ok) return done
  redirect(pathOf(done.value.id))
}

export async function updateListingAction(listingId: string, _: ActionState, form: FormData): Promise<ActionState> {
  const done = await save(listings.updateListing, {
    params: { listing_id: listingId },
    form,
    read: async (ctx) => changeableOf(api.updateListing, await getListing(ctx, listingId)),
  })
  if (!done.ok) return done
  redirect(pathOf(listingId))
}

export async function moveListingAction(listingId: string, status: 'ACTIVE' | 'PAUSED'): Promise<ActionState> {
  const done = await act(listings.updateListing, { params: { listing_id: listingId }, body: { status } })
  if (!done.ok) return done
  revalidatePath(pathOf(listingId))
  const t = await getTranslations('dashboard.listings')
  if (done.value.status === 'PAUSED') return { ok: true, message: t('pause.done') }
  return { ok: true, message: done.value.status === 'SCHEDULED' ? t('resume.scheduled') : t('resume.done') }
}

async function moveMany(ids: string[], status: 'ACTIVE' | 'PAUSED'): Promise<BulkOutcome> {
  const outcome = await actOnEach(ids, (listing_id) =>
    act(listings.updateListing, { params: { listing_id }, body: { status } }),
  )
  revalidatePath('/dashboard/listings')
  return outcome
}

export async function pauseManyAction(ids: string[]): Promise<BulkOutcome> {
  return moveMany(ids, 'PAUSED')
}

export async function resumeManyAction(ids: string[]): Promise<BulkOutcome> {
  return moveMany(ids, 'ACTIVE')
}

export async function cancelListingAction(listingId: string, draft: boolean): Promise<ActionState> {
  const t = await getTranslations('dashboard.listings')
  const done = await act(listings.cancelListing, { params: { listing_id: listingId } })
  if (!done.ok) return done
  if (draft) redirect('/dashboard/listings')
  revalidatePath(pathOf(listingId))
  return { ok: true, message: t('cancelling.done') }
}

export async function changeAllowListAction(listingId: string, _: ActionState, form: FormData): Promise<ActionState> {
  const { allow_list: _text, ...body } = formBody(form)
  const t = await getTranslations('dashboard.listings')
  const wrongLines = wrongLinesIn(form, t)
  if (wrongLines) return wrongField('eth_addresses', wrongLines)
  const { eth_addresses: addresses, email_addresses: emails } = body
  if ([addresses, emails].every((list) => !Array.isArray(list) || list.length === 0))
    return {
      ok: false,
      code: 'invalid_request',
      message: t('allowList.nothing'),
      fields: {},
      others: [],
    }
  const done = await act(allowLists.changeAllowList, { params: { listing_id: listingId }, form, body })
  if (!done.ok) return done
  revalidatePath(`${pathOf(listingId)}/allow-list`)
  const { changed, total_results: total } = done.value
  const given = new Set(
    [addresses, emails]
      .flatMap((list) => (Array.isArray(list) ? list.map(String) : []))
      .map((each) => each.toLowerCase()),
  )
  return {
    ok: true,
    message: t(body.action === 'REMOVE' ? 'allowList.nowRemoved' : 'allowList.nowAdded', { changed, total }),
    // Who was on the list before stays there.
    canUndo: changed === given.size,
  }
}

/** Removes whom the same form added, or adds them again. */
export async function undoAllowListAction(listingId: string, _: ActionState, form: FormData): Promise<ActionState> {
  const back = new FormData()
  for (const [name, value] of form) back.append(name, value)
  back.set('action', form.get('action') === 'REMOVE' ? 'ADD' : 'REMOVE')
  return changeAllowListAction(listingId, null, back)
}

async function currencyOf(networkId: number, currency: string): Promise<{ decimals: number; currency: string }> {
  if (isCardCurrency(currency)) return { decimals: CURRENCIES[currency].decimals, currency }
  const ctx = await dashboardContext()
  return {
    decimals: paymentTokensOf(ctx, networkId).find(({ symbol }) => symbol === currency)?.decimals ?? 18,
    currency,
  }
}

/** Says which lines of a typed allow list can't be read; null: all can. */
function wrongLinesIn(
  form: FormData,
  t: Awaited<ReturnType<typeof getTranslations<'dashboard.listings'>>>,
): string | null {
  const lines = checkList(String(form.get('allow_list') ?? '')).flatMap(({ kind, line }) =>
    kind === 'wrong' ? line : [],
  )
  const [first] = lines
  return first === undefined ? null : t('allowListField.wrongLines', { first, count: lines.length })
}
