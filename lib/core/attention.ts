/**
 * Something that needs a person: its kind, a sentence about it, and the id of its subject if there is one. `text`: what
 * pages in other languages say instead of the sentence. `more`: how many others of its kind aren't listed.
 */
export type Attention = {
  kind:
    | 'alarm'
    | 'purchase'
    | 'payment_integration'
    | 'payout'
    | 'deployment'
    | 'transaction'
    | 'claim'
    | 'mail'
    | 'suppressions'
    | 'email_integration'
    | 'webhook'
    | 'import'
    | 'listing'
  urgent: boolean
  subject: string | null
  detail: string
  text: { code: string; values?: Record<string, string | number> }
  more?: number
}
