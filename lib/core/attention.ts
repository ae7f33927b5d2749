/** Something that needs a person: its kind, a sentence about it, and the id of its subject if there is one. */
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
}
