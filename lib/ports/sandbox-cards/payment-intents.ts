import { Prisma, type SandboxPaymentIntent, type SandboxRefund } from '../../../generated/prisma/client.ts'
import { secondsFrom } from '../../core/clock.ts'
import { CURRENCIES, isCardCurrency, majorOf } from '../../core/money.ts'
import { sameBytes } from '../../core/secrets.ts'
import { getAccount } from './accounts.ts'
import type { SandboxStore } from './store.ts'
import { recordSandboxEvent } from './events.ts'
import { invalidRequest, notFoundFailure, SandboxFailure, unexpectedState } from './failure.ts'
import { isVerified, chargeIdOf, chargeObject, intentObject, methodObject } from './objects.ts'
import { idsOfKey, isPageToken, pageToken, sandboxId } from './keys.ts'
import { DECLINED, cardByName, cardByNumber, isCardNumber, type TestCard } from './test-cards.ts'

/** How long after a payment with the disputing card its dispute opens. */
const DISPUTE_SECONDS = 5
const CONFIRMABLE = ['requires_payment_method', 'requires_confirmation', 'requires_action']

type IntentRow = SandboxPaymentIntent & { refunds: SandboxRefund[] }
export const withRefunds = { include: { refunds: { orderBy: { createdAt: 'asc' } } } } as const satisfies {
  include: Prisma.SandboxPaymentIntentInclude
}

export async function getIntent(store: SandboxStore, id: string): Promise<IntentRow> {
  const row = await store.db.sandboxPaymentIntent.findUnique({ where: { id }, ...withRefunds })
  if (!row) throw notFoundFailure('payment_intent', id)
  return row
}

/** A payment of this account. Throws when it is another account's. */
export async function getIntentOf(store: SandboxStore, accountId: string, id: string): Promise<IntentRow> {
  await getAccount(store, accountId)
  const row = await getIntent(store, id)
  if (row.accountId !== accountId) throw notFoundFailure('payment_intent', id)
  return row
}

/** Locks the row until the transaction ends. */
export async function lockIntent(tx: SandboxStore, id: string): Promise<IntentRow> {
  await tx.db.sandboxPaymentIntent.updateMany({ where: { id }, data: { id } })
  return getIntent(tx, id)
}

export async function createIntent(
  store: SandboxStore,
  accountId: string,
  form: URLSearchParams,
  key: string | null,
): Promise<object> {
  const account = await getAccount(store, accountId)
  if (!isVerified(account, store.now()))
    throw invalidRequest(
      'Your account cannot currently make live charges: it is not through its verification.',
      'account_invalid_state',
      { param: 'account' },
    )
  const params = paramsOf(form)
  const requestKey = key ? `${accountId}:${key}` : sandboxId('req')
  const id = key ? idsOfKey('pi', requestKey)[0]! : sandboxId('pi')
  await store.db.sandboxPaymentIntent.createMany({
    data: [
      {
        id,
        accountId,
        requestKey,
        clientSecret: `${id}_secret_${sandboxId('s', 24).slice(2)}`,
        ...params,
        status: 'requires_payment_method',
        createdAt: store.now(),
      },
    ],
    skipDuplicates: true,
  })
  const { id: made } = await store.db.sandboxPaymentIntent.findUniqueOrThrow({ where: { requestKey } })
  const row = await getIntent(store, made)
  if (row.amount !== params.amount || row.currency !== params.currency || row.fee !== params.fee)
    throw new SandboxFailure(400, {
      type: 'idempotency_error',
      message: 'Keys for idempotent requests can only be used with the same parameters they were first used with.',
    })
  return intentObject(row)
}

function paramsOf(form: URLSearchParams) {
  const amount = wholeOf(form, 'amount')
  const fee = form.has('application_fee_amount') ? wholeOf(form, 'application_fee_amount') : 0n
  const currency = form.get('currency') ?? ''
  const code = currency.toUpperCase()
  if (!isCardCurrency(code) || currency !== code.toLowerCase())
    throw invalidRequest(`Invalid currency: ${currency}.`, 'parameter_invalid_string', { param: 'currency' })
  const { minMinor, maxMinor } = CURRENCIES[code]
  if (amount < minMinor)
    throw invalidRequest(`Amount must be at least ${majorOf(minMinor, code)} ${currency}`, 'amount_too_small', {
      param: 'amount',
    })
  if (amount > maxMinor)
    throw invalidRequest(`Amount must be no more than ${majorOf(maxMinor, code)} ${currency}`, 'amount_too_large', {
      param: 'amount',
    })
  if (form.has('application_fee_amount') && (fee < 1n || fee > amount))
    throw invalidRequest('Invalid application fee.', 'parameter_invalid_integer', { param: 'application_fee_amount' })
  return { amount, fee, currency, metadata: metadataOf(form) }
}

function wholeOf(form: URLSearchParams, name: string): bigint {
  const value = form.get(name) ?? ''
  if (!/^\d{1,12}$/.test(value))
    throw invalidRequest(`Invalid integer: ${value}`, 'parameter_invalid_integer', { param: name })
  return BigInt(value)
}

export const metadataOf = (form: URLSearchParams): Record<string, string> =>
  Object.fromEntries(
    [...form].flatMap(([name, value]) =>
      /^metadata\[(\w+)\]$/.exec(name)?.[1] ? [[/^metadata\[(\w+)\]$/.exec(name)![1]!, value]] : [],
    ),
  )

export const cancelIntent = (
  store: SandboxStore,
  accountId: string,
  id: string,
  expand: readonly string[],
): Promise<object> =>
  store.transaction(async (tx) => {
    await getIntentOf(tx, accountId, id)
    const row = await lockIntent(tx, id)
    if (!CONFIRMABLE.includes(row.status)) throw unexpectedState(row.status, 'cancel')
    const cancelled = await change(tx, id, { status: 'canceled', nextAction: Prisma.DbNull })
    await recordSandboxEvent(tx, row.accountId, 'payment_intent.canceled', intentObject(cancelled))
    return intentObject(cancelled, expand)
  })

/** A payment for the buyer, whose request must carry the payment's client secret. */
export async function getIntentWithSecret(store: SandboxStore, id: string, form: URLSearchParams): Promise<IntentRow> {
  const row = await getIntent(store, id)
  if (!sameBytes(Buffer.from(form.get('client_secret') ?? ''), Buffer.from(row.clientSecret)))
    throw invalidRequest(
      'The client_secret provided does not match any associated PaymentIntent.',
      'payment_intent_invalid_parameter',
      { param: 'client_secret' },
    )
  const account = form.get('_stripe_account')
  if (account && account !== row.accountId) throw notFoundFailure('payment_intent', id)
  return row
}

/** The PaymentIntent without what only the account may see. */
export const buyerIntentObject = (row: IntentRow) => ({
  ...intentObject(row),
  application_fee_amount: undefined,
  metadata: undefined,
})

/** The buyer pays. After a decline the payment stays open for another card. */
export async function confirmIntent(store: SandboxStore, id: string, form: URLSearchParams): Promise<object> {
  await getIntentWithSecret(store, id, form)
  const attempt = await store.transaction(async (tx) => {
    const row = await lockIntent(tx, id)
    if (!CONFIRMABLE.includes(row.status))
      throw unexpectedState(row.status, 'confirm', { payment_intent: buyerIntentObject(row) })
    const card = cardOf(form, tx.now())
    if ('error' in card) return decline(tx, row, null, card.error)
    if (card.does === 'decline') return decline(tx, row, card, card)
    return card.does === 'authenticate'
      ? startAuthentication(tx, row, card, form.get('return_url'))
      : succeed(tx, row, card)
  })
  return answer(attempt)
}

/**
 * Completes the bank's authentication: `isBuyer` is whether the buyer confirmed the payment on the page of
 * `next_action`.
 */
export async function authenticateIntent(store: SandboxStore, id: string, isBuyer: boolean): Promise<IntentRow> {
  const { row } = await store.transaction(async (tx) => {
    const row = await lockIntent(tx, id)
    if (row.status !== 'requires_action') return { row }
    const card = row.card === null ? undefined : cardByName(row.card)
    if (!isBuyer) return decline(tx, row, card ?? null, AUTHENTICATION_FAILED)
    if (card?.does === 'authenticate' && card.then === 'decline') return decline(tx, row, card, DECLINED)
    return succeed(tx, row, card ?? null)
  })
  return row
}

export const isAuthenticationToken = (id: string, token: string): boolean => isPageToken('authenticate', id, token)

/** The URL that the bank's page returns to; null unless it is a page of this installation. */
export function returnUrlOf(store: SandboxStore, row: SandboxPaymentIntent): string | null {
  const url = (row.nextAction as { redirect_to_url?: { return_url?: string | null } } | null)?.redirect_to_url
    ?.return_url
  if (!url || !URL.canParse(url)) return null
  return [store.origin, store.buyersOrigin].some((ours) => new URL(ours).origin === new URL(url).origin) ? url : null
}

type Refusal = { code: string; declineCode?: string | undefined; message: string; param?: string }
const AUTHENTICATION_FAILED: Refusal = {
  code: 'payment_intent_authentication_failure',
  message: 'We are unable to authenticate your payment method. Please choose a different payment method and try again.',
}

type Attempt = { row: IntentRow; refusal?: Refusal }

function answer({ row, refusal }: Attempt): object {
  if (!refusal) return buyerIntentObject(row)
  throw new SandboxFailure(402, {
    ...(row.lastError as { type: string; message: string }),
    payment_intent: buyerIntentObject(row),
  })
}

/** The test card in the request, given by name or by number, expiry and security code. */
function cardOf(form: URLSearchParams, now: Date): TestCard | { error: Refusal } {
  const name = form.get('payment_method')
  if (name) {
    const card = cardByName(name)
    if (!card) throw notFoundFailure('PaymentMethod', name)
    return card
  }
  const field = (part: string) => form.get(`payment_method_data[card][${part}]`) ?? ''
  const number = field('number')
  if (!number)
    throw invalidRequest('You must provide a payment method to confirm this PaymentIntent.', 'parameter_missing', {
      param: 'payment_method',
    })
  if (!isCardNumber(number))
    return { error: { code: 'incorrect_number', message: 'Your card number is incorrect.', param: 'number' } }
  const [month, year] = [Number(field('exp_month')), Number(field('exp_year')) % 100]
  if (!(month >= 1 && month <= 12))
    return {
      error: { code: 'invalid_expiry_month', message: "Your card's expiration month is invalid.", param: 'exp_month' },
    }
  const isOver = year * 12 + month - 1 < (now.getUTCFullYear() % 100) * 12 + now.getUTCMonth()
  if (Number.isNaN(year) || field('exp_year') === '' || isOver)
    return {
      error: { code: 'invalid_expiry_year', message: "Your card's expiration year is invalid.", param: 'exp_year' },
    }
  if (field('cvc') !== '' && !/^\d{3,4}$/.test(field('cvc')))
    return { error: { code: 'invalid_cvc', message: "Your card's security code is invalid.", param: 'cvc' } }
  const card = cardByNumber(number)
  return (
    card ?? {
      error: {
        ...DECLINED,
        message: 'Your card was declined. This provider takes test cards only, such as 4242 4242 4242 4242.',
      },
    }
  )
}

async function change(
  tx: SandboxStore,
  id: string,
  data: Prisma.SandboxPaymentIntentUncheckedUpdateManyInput,
): Promise<IntentRow> {
  await tx.db.sandboxPaymentIntent.updateMany({ where: { id }, data })
  return getIntent(tx, id)
}

async function succeed(tx: SandboxStore, row: IntentRow, card: TestCard | null): Promise<Attempt> {
  const disputes = card?.does === 'succeed' && card.later === 'dispute'
  const paid = await change(tx, row.id, {
    status: 'succeeded',
    amountReceived: row.amount,
    nextAction: Prisma.DbNull,
    lastError: Prisma.DbNull,
    card: card?.name ?? row.card,
    disputesAt: disputes ? secondsFrom(tx.now(), DISPUTE_SECONDS) : null,
  })
  await recordSandboxEvent(tx, row.accountId, 'payment_intent.succeeded', intentObject(paid))
  await recordSandboxEvent(tx, row.accountId, 'charge.succeeded', chargeObject(paid))
  return { row: paid }
}

async function decline(tx: SandboxStore, row: IntentRow, card: TestCard | null, refusal: Refusal): Promise<Attempt> {
  const { code, declineCode, message, param } = refusal
  const lastError = {
    type: code === AUTHENTICATION_FAILED.code ? 'invalid_request_error' : 'card_error',
    code,
    ...(declineCode && { decline_code: declineCode }),
    ...(param && { param }),
    message,
    charge: chargeIdOf(row),
    doc_url: `https://stripe.com/docs/error-codes/${code.replaceAll('_', '-')}`,
    ...(card && { payment_method: methodObject(card.name, tx.now()) }),
  }
  const open = await change(tx, row.id, {
    status: 'requires_payment_method',
    nextAction: Prisma.DbNull,
    lastError,
    card: card?.name ?? null,
  })
  await recordSandboxEvent(tx, row.accountId, 'payment_intent.payment_failed', intentObject(open))
  return { row: open, refusal }
}

async function startAuthentication(
  tx: SandboxStore,
  row: IntentRow,
  card: TestCard,
  returnUrl: string | null,
): Promise<Attempt> {
  const url = `${tx.origin}/sandbox/cards/authenticate/${row.id}?token=${pageToken('authenticate', row.id)}`
  const nextAction = { type: 'redirect_to_url', redirect_to_url: { return_url: returnUrl, url } }
  const waiting = await change(tx, row.id, {
    status: 'requires_action',
    nextAction,
    lastError: Prisma.DbNull,
    card: card.name,
  })
  await recordSandboxEvent(tx, row.accountId, 'payment_intent.requires_action', intentObject(waiting))
  return { row: waiting }
}
