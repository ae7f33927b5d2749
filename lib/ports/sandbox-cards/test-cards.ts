/** How a payment with a test card behaves. Names and numbers are Stripe's public test cards. */
export type TestCard = { name: string; brand: string; last4: string } & (
  | { does: 'succeed'; later?: 'dispute' | 'refund_slowly' | 'refuse_refund' }
  | { does: 'decline'; code: string; declineCode?: string; message: string }
  | { does: 'authenticate'; then: 'succeed' | 'decline' }
)

const declined = { does: 'decline', code: 'card_declined' } as const
const CARDS: readonly (TestCard & { number: string })[] = [
  { number: '4242424242424242', name: 'pm_card_visa', brand: 'visa', last4: '4242', does: 'succeed' },
  { number: '4000056655665556', name: 'pm_card_visa_debit', brand: 'visa', last4: '5556', does: 'succeed' },
  { number: '5555555555554444', name: 'pm_card_mastercard', brand: 'mastercard', last4: '4444', does: 'succeed' },
  { number: '378282246310005', name: 'pm_card_amex', brand: 'amex', last4: '0005', does: 'succeed' },
  { number: '4000000000000077', name: 'pm_card_bypassPending', brand: 'visa', last4: '0077', does: 'succeed' },
  {
    number: '4000000000000259',
    name: 'pm_card_createDispute',
    brand: 'visa',
    last4: '0259',
    does: 'succeed',
    later: 'dispute',
  },
  {
    number: '4000000000007726',
    name: 'pm_card_pendingRefund',
    brand: 'visa',
    last4: '7726',
    does: 'succeed',
    later: 'refund_slowly',
  },
  {
    number: '4000000000005126',
    name: 'pm_card_refundFail',
    brand: 'visa',
    last4: '5126',
    does: 'succeed',
    later: 'refuse_refund',
  },
  {
    number: '4000000000000002',
    name: 'pm_card_chargeDeclined',
    brand: 'visa',
    last4: '0002',
    ...declined,
    declineCode: 'generic_decline',
    message: 'Your card was declined.',
  },
  {
    number: '4000000000009995',
    name: 'pm_card_chargeDeclinedInsufficientFunds',
    brand: 'visa',
    last4: '9995',
    ...declined,
    declineCode: 'insufficient_funds',
    message: 'Your card has insufficient funds.',
  },
  {
    number: '4000000000009987',
    name: 'pm_card_chargeDeclinedLostCard',
    brand: 'visa',
    last4: '9987',
    ...declined,
    declineCode: 'lost_card',
    message: 'Your card was declined.',
  },
  {
    number: '4000000000009979',
    name: 'pm_card_chargeDeclinedStolenCard',
    brand: 'visa',
    last4: '9979',
    ...declined,
    declineCode: 'stolen_card',
    message: 'Your card was declined.',
  },
  {
    number: '4100000000000019',
    name: 'pm_card_radarBlock',
    brand: 'visa',
    last4: '0019',
    ...declined,
    declineCode: 'fraudulent',
    message: 'Your card was declined.',
  },
  {
    number: '4000000000000069',
    name: 'pm_card_chargeDeclinedExpiredCard',
    brand: 'visa',
    last4: '0069',
    does: 'decline',
    code: 'expired_card',
    declineCode: 'expired_card',
    message: 'Your card has expired.',
  },
  {
    number: '4000000000000127',
    name: 'pm_card_chargeDeclinedIncorrectCvc',
    brand: 'visa',
    last4: '0127',
    does: 'decline',
    code: 'incorrect_cvc',
    declineCode: 'incorrect_cvc',
    message: "Your card's security code is incorrect.",
  },
  {
    number: '4000000000000119',
    name: 'pm_card_chargeDeclinedProcessingError',
    brand: 'visa',
    last4: '0119',
    does: 'decline',
    code: 'processing_error',
    declineCode: 'processing_error',
    message: 'An error occurred while processing your card. Try again in a little bit.',
  },
  {
    number: '4000002500003155',
    name: 'pm_card_authenticationRequired',
    brand: 'visa',
    last4: '3155',
    does: 'authenticate',
    then: 'succeed',
  },
  {
    number: '4000002760003184',
    name: 'pm_card_authenticationRequiredOnSetup',
    brand: 'visa',
    last4: '3184',
    does: 'authenticate',
    then: 'succeed',
  },
  {
    number: '4000000000003220',
    name: 'pm_card_threeDSecure2Required',
    brand: 'visa',
    last4: '3220',
    does: 'authenticate',
    then: 'succeed',
  },
  {
    number: '4000000000003063',
    name: 'pm_card_threeDSecureRequired',
    brand: 'visa',
    last4: '3063',
    does: 'authenticate',
    then: 'succeed',
  },
  {
    number: '4000008400001629',
    name: 'pm_card_threeDSecureRequiredChargeDeclined',
    brand: 'visa',
    last4: '1629',
    does: 'authenticate',
    then: 'decline',
  },
]

/**
 * A card by its PaymentMethod name. As at Stripe, `pm_card_visa_chargeDeclined` is an alias of
 * `pm_card_chargeDeclined`.
 */
export const cardByName = (name: string): TestCard | undefined =>
  CARDS.find((card) => card.name === name || card.name.replace('pm_card_', 'pm_card_visa_') === name)

export const cardByNumber = (number: string): TestCard | undefined =>
  CARDS.find((card) => card.number === number.replace(/[\s-]/g, ''))

/** Whether a card number has a valid length and check digit (Luhn, ISO/IEC 7812). */
export function isCardNumber(number: string): boolean {
  const digits = number.replace(/[\s-]/g, '')
  if (!/^\d{12,19}$/.test(digits)) return false
  const sum = [...digits].reverse().reduce((total, digit, at) => {
    const value = Number(digit) * (at % 2 === 1 ? 2 : 1)
    return total + (value > 9 ? value - 9 : value)
  }, 0)
  return sum % 10 === 0
}

export const DECLINED = {
  code: 'card_declined',
  declineCode: 'generic_decline',
  message: 'Your card was declined.',
} as const
