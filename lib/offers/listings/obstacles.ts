import type { Collection, Listing, PaymentProvider } from '../../../generated/prisma/client.ts'
import { AppError } from '../../core/errors.ts'
import { isWithinQuota, mailQuotaSpent } from '../../messaging/outbox/mail-quota.ts'
import { gasAfter, gasBudgetOf, gasBudgetSpent, gasOf } from '../../orders/gas-budget.ts'
import { isMinterConfigured } from '../../orders/operator-may-mint.ts'
import { findSigner, voucherKeyMissing } from '../../orders/voucher-signer.ts'
import type { Context } from '../../platform/auth/context.ts'
import { isCustodianConfigured, notDeliverableNow, voucherImpossible } from '../../stock/custody.ts'
import { promisesHeld, soldOut } from '../../stock/hold-units.ts'
import { REASONS } from './reasons.ts'

/**
 * The facts that decide, besides a listing's own row, whether it can be bought, as `sale_facts` in the database gives
 * them.
 */
export type SaleFacts = Pick<Collection, 'signer' | 'minter'> & {
  payment: 'PAYOUT_ADDRESS_MISSING' | 'PROVIDER_NOT_CONFIGURED' | null
  isHeld: boolean
  /** In milliseconds. */
  promisesFrom: number | null
  custodian: string | null
  newcomerSince: string | null
  /** Of the last 24 hours; null without a budget. */
  gas: { spent: string; fee: string | null } | null
  mails: number | null
}

/** Whether every organization has a gas budget, in SQL. */
export const HAS_BUDGET = String(gasBudgetOf({ newcomerSince: null }) !== null)

/** The facts of `listings l`, in SQL. */
export const SALE_FACTS = `sale_facts(l.id, ${HAS_BUDGET})`

/** Why a listing that is on sale can't be bought now. */
export type Obstacle =
  | NonNullable<SaleFacts['payment']>
  | 'SOLD_OUT'
  | 'RECOVERING'
  | 'OPERATOR_MISSING'
  | 'MINTED_ALREADY'
  | 'VOUCHER_KEY_MISSING'
  | 'GAS_BUDGET_SPENT'
  | 'MAIL_QUOTA_SPENT'

type Moment = Pick<Context, 'ports' | 'now'>
export type Offered = Pick<Listing, 'collectionId' | 'paymentProviders'> & { facts: SaleFacts }

/** The obstacle to buying a listing where each of `providers` has one; null where one of them is open. */
export function obstacleOf(
  moment: Moment,
  offered: Offered,
  providers: readonly PaymentProvider[] = offered.paymentProviders,
): Obstacle | null {
  const { payment, isHeld, promisesFrom } = offered.facts
  if (payment) return payment
  if (!isHeld) return 'SOLD_OUT'
  if (promisesFrom !== null && promisesFrom > moment.now().getTime()) return 'RECOVERING'
  const obstacles = providers.map((provider) => OF_PROVIDER[provider](moment, offered))
  return obstacles.includes(null) ? null : obstacles[0]!
}

type OfProvider = (moment: Moment, offered: Offered) => Obstacle | null

const ofVoucher: OfProvider = (moment, { collectionId, facts }) => {
  if (facts.custodian !== null) return 'MINTED_ALREADY'
  return findSigner(moment, { id: collectionId, signer: facts.signer }) === null ? 'VOUCHER_KEY_MISSING' : null
}

/** A token in custody is sent by its custodian, all else is minted by the collection's operator. */
const ofSender: OfProvider = (moment, { facts }) => {
  const canSend = facts.custodian === null ? isMinterConfigured(moment, facts) : isCustodianConfigured(moment, facts)
  return canSend ? null : 'OPERATOR_MISSING'
}

/** A gift by mail is paid for when it is redeemed, and a card's purchase waits for the budget of the next day. */
const ofMintAtOnce: OfProvider = (moment, offered) => {
  const { gas, newcomerSince } = offered.facts
  const isSpent = gas !== null && gasAfter(gasOf({ ...gas, wei: gas.spent, newcomerSince }), 1) === null
  return ofSender(moment, offered) ?? (isSpent ? 'GAS_BUDGET_SPENT' : null)
}

const ofMail: OfProvider = (moment, offered) => {
  const { mails } = offered.facts
  const written = mails === null ? null : BigInt(mails)
  return ofSender(moment, offered) ?? (isWithinQuota({ written }, 1) ? null : 'MAIL_QUOTA_SPENT')
}

const OF_PROVIDER = {
  CARD_PROVIDER: ofSender,
  MINT_VOUCHER: ofVoucher,
  EMAIL_CLAIM: ofMail,
  ORGANIZATION: ofMintAtOnce,
  BETA_FREE_MINT: ofMintAtOnce,
} as const satisfies Record<PaymentProvider, OfProvider>

/** The error that refuses a purchase for an obstacle: the one of the transaction that would make the purchase. */
export const REFUSALS = {
  PAYOUT_ADDRESS_MISSING: () => new AppError('payout_address_missing', REASONS.PAYOUT_ADDRESS_MISSING),
  PROVIDER_NOT_CONFIGURED: () => new AppError('provider_not_configured', REASONS.PROVIDER_NOT_CONFIGURED),
  SOLD_OUT: () => soldOut('Not enough units of this listing are left.'),
  RECOVERING: promisesHeld,
  OPERATOR_MISSING: notDeliverableNow,
  MINTED_ALREADY: () => voucherImpossible('provider'),
  VOUCHER_KEY_MISSING: () => voucherKeyMissing(),
  GAS_BUDGET_SPENT: gasBudgetSpent,
  MAIL_QUOTA_SPENT: mailQuotaSpent,
} as const satisfies Record<Obstacle, () => AppError>
