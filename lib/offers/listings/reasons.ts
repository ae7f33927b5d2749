/** Why a buyer can't buy, as sentences for buyers. */
export const REASONS = {
  NOT_STARTED: 'This listing has not started yet.',
  ENDED: 'This listing has ended.',
  PAUSED: 'This listing is paused.',
  CANCELLED: 'This listing was cancelled.',
  SOLD_OUT: 'Everything is sold, or being bought right now.',
  NOT_ON_LIST: 'This listing is for those on its list.',
  LIMIT_REACHED: 'This buyer has reached the limit of this listing.',
  SUSPENDED: 'This isn’t offered at the moment.',
  PAYOUT_ADDRESS_MISSING: 'The seller has no payout address: nothing can be sold for crypto until there is one.',
  PROVIDER_NOT_CONFIGURED: 'Card payments are not set up, or the card account can’t take payments right now.',
  RECOVERING:
    'Nothing of this collection is given away for some days: the seller’s records were put back from a backup.',
  OPERATOR_MISSING: 'This can’t be handed over just now: the seller has to mend something first.',
  MINTED_ALREADY: 'This item is minted already: no mint voucher can sell it.',
  VOUCHER_KEY_MISSING: 'Mint vouchers can’t be signed just now: the seller has to mend something first.',
  GAS_BUDGET_SPENT: 'The seller has spent what may be spent on gas in 24 hours. Try again later.',
  MAIL_QUOTA_SPENT: 'The seller has sent as many mails as may be sent in 24 hours. Try again later.',
} as const
