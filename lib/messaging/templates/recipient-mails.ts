import type { Locale } from '../../core/locales.ts'
import { asMustache, headOf, type Template, unless, when } from './catalogue-mail.ts'
import type { TemplateType } from './mail-variables.ts'
import { type MailWords, mailWords } from './mail-words.ts'

/** Mails to recipients and buyers. */
const RECIPIENT_TYPES = [
  'REDEEM_NFT',
  'CLAIM_PINCODE',
  'CLAIMED_NFT',
  'RECEIPT',
  'REFUND',
  'CLAIM_REMINDER',
  'LINKS',
] as const satisfies TemplateType[]
export type RecipientType = (typeof RECIPIENT_TYPES)[number]

export const isRecipientMail = (type: TemplateType): type is RecipientType =>
  (RECIPIENT_TYPES as readonly TemplateType[]).includes(type)

/** A mail of the catalogue, of words that are Mustache already. */
const MAILS: { [T in RecipientType]: (words: MailWords) => Template } = {
  REDEEM_NFT: ({ gift }) => ({
    ...headOf(gift),
    picture: true,
    lead: [when('retry', gift.retry), gift.lead],
    button: { label: gift.button, url: '{{claim_url}}' },
    notes: [when('expires_on', gift.expires), when('from_holder', gift.fromHolder), gift.note],
    isRefusable: true,
  }),
  CLAIM_PINCODE: ({ pin }) => ({ ...headOf(pin), lead: [pin.lead], code: '{{pin}}', notes: [pin.once, pin.note] }),
  CLAIMED_NFT: ({ arrived }) => ({
    ...headOf(arrived),
    picture: true,
    lead: [arrived.lead],
    button: { label: arrived.button, url: '{{claim_url}}' },
    notes: [when('explorer_url', arrived.transaction)],
  }),
  RECEIPT: ({ receipt }) => ({
    ...headOf(receipt),
    picture: true,
    lead: [receipt.lead, when('by_mail', receipt.byMail)],
    button: { label: receipt.button, url: '{{status_url}}' },
    notes: [receipt.number, receipt.keep],
  }),
  REFUND: ({ refund, receipt }) => ({
    ...headOf(refund),
    lead: [refund.lead, when('part', refund.part), when('reason', refund.reason), when('to_card', refund.toCard)],
    button: { label: refund.button, url: '{{status_url}}' },
    notes: [receipt.number, receipt.keep],
  }),
  CLAIM_REMINDER: ({ reminder, gift }) => ({
    ...headOf(reminder),
    picture: true,
    lead: [reminder.lead, reminder.how],
    button: { label: gift.button, url: '{{claim_url}}' },
    notes: [reminder.note],
    isRefusable: true,
  }),
  LINKS: ({ links }) => ({
    ...headOf(links),
    lead: [
      links.lead,
      when('gifts', `${unless('until', links.gift)}${when('until', links.giftUntil)}\n{{url}}\n\n`),
      when('purchases', `${links.purchase}\n{{url}}\n\n`),
    ],
    notes: [links.keep, links.note],
  }),
}

/** A mail to recipients or buyers in a language. `words`: those of the catalogue, unless others take their place. */
export const recipientMail = (type: RecipientType, locale: Locale, words = mailWords(locale)): Template =>
  MAILS[type](mailsOf(words, locale))

/** The layout isn't part of a mail's own words, and has a tag. */
const mailsOf = ({ layout, ...mails }: MailWords, locale: Locale): MailWords => ({
  ...asMustache(mails, locale),
  layout,
})
