/**
 * The variables of each mail. All mails of an organization also have `organization_domain` and `unsubscribe_url`, which
 * are known when they are sent. Texts are Mustache: `{{name}}` is filled in, `{{#name}}…{{/name}}` appears only when
 * there is a value.
 */
export type TemplateVariables = {
  REDEEM_NFT: {
    organization_name: string
    item_title: string
    claim_url: string
    /** A number above one, else null. */
    quantity: string | null
    /** A day for people, such as 20 December 2026; null: it doesn't expire. */
    expires_on: string | null
    /** Set when an earlier delivery failed and the claim is open again; its value doesn't matter. */
    retry: string | null
    /** Set when a holder of the item sent it, not the organization; its value doesn't matter. */
    from_holder: string | null
    image_url: string | null
    /** The sender's name; null means the organization's name via Vitrine. */
    sender_name: string | null
  }
  CLAIM_PINCODE: {
    organization_name: string
    item_title: string
    pin: string
    minutes: string
    sender_name: string | null
  }
  CLAIMED_NFT: {
    organization_name: string
    item_title: string
    claim_url: string
    address: string
    network_name: string
    explorer_url: string | null
    image_url: string | null
    sender_name: string | null
  }
  RECEIPT: {
    organization_name: string
    item_title: string
    /** With its currency: 19.99 USD. */
    amount: string
    /** A number above one, else null. */
    quantity: string | null
    paid_on: string
    /** The purchase's id, by which the seller finds it. */
    number: string
    /** The purchase's status page, its secret included. */
    status_url: string
    /** Set when the item arrives by a separate mail; its value doesn't matter. */
    by_mail: string | null
    image_url: string | null
    sender_name: string | null
  }
  REFUND: {
    organization_name: string
    item_title: string
    /** The amount that was paid back, with its currency: 19.99 USD. */
    amount: string
    /** How many of the units it was for, such as 1 of 3; null: all that was still paid. */
    part: string | null
    /** A sentence; null: nobody gave one. */
    reason: string | null
    /** Set when the money went to the card it came from; its value doesn't matter. */
    to_card: string | null
    /** The purchase's id, by which the seller finds it. */
    number: string
    /** The purchase's status page, its secret included. */
    status_url: string
    image_url: string | null
    sender_name: string | null
  }
  CLAIM_REMINDER: {
    organization_name: string
    item_title: string
    claim_url: string
    /** A number above one, else null. */
    quantity: string | null
    /** A day for people, such as 20 December 2026. */
    expires_on: string
    image_url: string | null
    sender_name: string | null
  }
  LINKS: {
    gifts: LinkLine[]
    purchases: LinkLine[]
    origin_host: string
  }
  SIGN_IN: { sign_in_url: string; origin_host: string; minutes: string }
  MEMBER_INVITE: {
    organization_name: string
    /** Who invites: a name, or an address. */
    inviter: string
    /** In lower case, such as editor. */
    role: string
    sign_in_url: string
    /** How many days the link works. */
    days: string
  }
  WEBHOOK_DISABLED: {
    organization_name: string
    webhook_name: string
    webhook_url: string
    /** One or two sentences. */
    reason: string
    dashboard_url: string
  }
  ALARM: {
    /** A few words about what happened. */
    headline: string
    opened: AlarmLine[]
    ended: AlarmLine[]
    /** How many more there are than are listed; null: none. */
    more: string | null
    dashboard_url: string
    /** Why the reader gets this mail, as a sentence. */
    reason: string
  }
  PROTECTED_CHANGE: {
    organization_name: string
    /** A sentence about what was done. */
    change: string
    /** The address of the member who did it. */
    changed_by: string
    dashboard_url: string
  }
  PASSKEY_CHANGE: {
    /** A sentence about what was done to the reader's own passkeys. */
    change: string
    origin_host: string
    dashboard_url: string
  }
  SUSPENSION: {
    organization_name: string
    /** The organization, or a collection of it, as the beginning of a sentence. */
    what: string
    /** The operator's words. */
    reason: string
    /** Set when the suspension has ended; its value doesn't matter. */
    lifted: string | null
    operator_email: string | null
    dashboard_url: string
  }
  TEST: {
    organization_name: string
    /** Date and time in words. */
    sent_at: string
    /** A rendered draft that is sent instead of the platform's text. Stored in outbox rows under this name. */
    letter?: RenderedMail | null
  }
}

/** One alarm in a mail; all are texts for people. */
export type AlarmLine = {
  /** A sentence. */
  title: string
  detail: string
  /** Date and time in words. */
  since: string
  /** When it ended. */
  until: string | null
  /** The remedy. null: the alarm is over. */
  to_do: string | null
}

/** A link in a mail that lists several; all are texts for people. */
export type LinkLine = {
  title: string
  organization_name: string
  url: string
  /** The last day on which it can be taken; null: it has none. */
  until: string | null
  /** The day of a purchase. */
  bought_on: string | null
}

export type RenderedMail = { subject: string; text: string; html: string }

export type TemplateType = keyof TemplateVariables
