import { fetchOrUnreachable, objectOf, type Send } from './call.ts'
import { pause } from './retry.ts'

/** Test cards of the sandbox by what happens to a payment. Any date to come and any security code will do. */
export const CARDS = {
  succeeds: '4242424242424242',
  asksTheBank: '4000002500003155',
  isDeclined: '4000000000000002',
  hasNoMoney: '4000000000009995',
  hasExpired: '4000000000000069',
  isDisputedLater: '4000000000000259',
} as const

export type CardFields = { number: string; month: string; year: string; cvc: string }
/** `data` of a purchase that is paid by card. */
export type CardData = { client_secret: string; publishable_key: string }
export type Mail = {
  id: string
  to: string
  from: string
  subject: string
  text: string
  html: string
  sent_at: string
}

/**
 * Confirms a payment at the sandbox's card provider with a publishable key, and gives its answer, as Stripe's API does.
 */
export function confirmCard(
  origin: string,
  data: CardData,
  card: CardFields,
  returnUrl: string,
  send: Send = fetchOrUnreachable,
): Promise<Response> {
  const id = data.client_secret.split('_secret_')[0]!
  return send(`${origin}/sandbox/cards/v1/payment_intents/${encodeURIComponent(id)}/confirm`, {
    method: 'POST',
    body: new URLSearchParams({
      client_secret: data.client_secret,
      key: data.publishable_key,
      return_url: returnUrl,
      'payment_method_data[type]': 'card',
      'payment_method_data[card][number]': card.number,
      'payment_method_data[card][exp_month]': card.month,
      'payment_method_data[card][exp_year]': card.year,
      'payment_method_data[card][cvc]': card.cvc,
    }),
  })
}

/** What only a sandbox has: its cards, its inbox and its clock. For trying things out and for tests. */
export function sandboxOf(origin: string, send: Send = fetchOrUnreachable) {
  const answerOf = async (response: Response): Promise<unknown> => {
    const answer: unknown = await response.json().catch(() => null)
    if (response.ok) return answer
    const { detail, error } = objectOf(answer)
    const reason = detail ?? objectOf(error).message ?? `The sandbox answered ${response.status}.`
    throw new Error(reason as string)
  }
  const mails = async (to: string): Promise<Mail[]> => {
    const response = await send(`${origin}/dev/mail.json?${new URLSearchParams({ to })}`, { method: 'GET' })
    return (await answerOf(response)) as Mail[]
  }
  return {
    /**
     * Pays a purchase by card; `status` is `succeeded`, or `requires_action` where the bank asks. A declined card
     * throws the bank's words, as Stripe.js has them.
     */
    async pay(data: CardData, number: string = CARDS.succeeds): Promise<{ status: string }> {
      const year = String(new Date().getUTCFullYear() + 3)
      const card = { number, month: '12', year, cvc: '123' }
      return (await answerOf(await confirmCard(origin, data, card, origin, send))) as { status: string }
    },
    /** The mails to an address, newest first. */
    mails,
    /** The newest mail to an address whose text or subject matches; waits for it. */
    async mailTo(to: string, matching = /(?:)/, seconds = 30): Promise<Mail> {
      for (const end = Date.now() + seconds * 1000; ; await pause(0.25)) {
        const found = (await mails(to)).find(({ subject, text }) => matching.test(subject) || matching.test(text))
        if (found) return found
        if (Date.now() > end) throw new Error(`No such mail to ${to} came within ${seconds} s.`)
      }
    },
    /** Moves the time of the whole sandbox on (claims, listings, sessions, the local chain), and gives the new one. */
    async advanceClock(seconds: number): Promise<string> {
      const headers = { 'content-type': 'application/json' }
      const init = { method: 'POST', headers, body: JSON.stringify({ seconds }) }
      return ((await answerOf(await send(`${origin}/sandbox/clock/advance`, init))) as { now: string }).now
    },
  }
}
