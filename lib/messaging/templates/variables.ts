import { dayOf } from '../../core/day.ts'
import { DEFAULT_LOCALE, type Locale } from '../../core/locales.ts'
import { amountOf } from '../../core/money.ts'
import { unitsOf } from './mail-words.ts'
import type { EditableType } from '../../platform/api/email-templates.ts'
import type { Values } from './fill.ts'

export type Variable = {
  name: string
  meaning: string
  /** A sample value; one that begins with / is prefixed with the installation's origin. */
  sample: string
  /** A template without it is refused. */
  required?: true
  /** May be absent: put it into a section, {{#name}}…{{/name}}. */
  optional?: true
  /** Absent in nearly all mails, and therefore in previews. */
  rare?: true
  /** May be the URL of a link or an image. */
  url?: true
}

const organization: Variable = {
  name: 'organization_name',
  meaning: 'Your organization’s name.',
  sample: 'Museum of Dawn',
}
const domain: Variable = {
  name: 'organization_domain',
  meaning: 'Your web domain. Missing while it isn’t confirmed.',
  sample: 'gallery.example.com',
  optional: true,
}
const item: Variable = { name: 'item_title', meaning: 'The item’s title.', sample: 'Moonflower' }
const unsubscribe: Variable = {
  name: 'unsubscribe_url',
  meaning: 'Where the reader unsubscribes from your gifts. Missing in mails that were paid or asked for.',
  sample: '/mails/sample',
  optional: true,
  url: true,
}
const picture: Variable = {
  name: 'image_url',
  meaning: 'The item’s picture, or the art that is drawn for it, as JPEG of at most 1200 pixels.',
  sample: '/mail-sample.jpg',
  optional: true,
  url: true,
}
const quantity: Variable = {
  name: 'quantity',
  meaning: 'How many units. Missing when it is one.',
  sample: '3',
  optional: true,
}
/** Which plural form the quantity takes: languages have up to six. */
const quantityForms: Variable[] = ['two', 'few', 'many', 'other'].map((form) => ({
  name: `quantity_${form}`,
  meaning: `There when the quantity takes the plural form “${form}” of the mail’s language.`,
  sample: 'yes',
  optional: true,
  rare: true,
}))
const link: Variable = {
  name: 'claim_url',
  meaning: 'The recipient’s own link to the item.',
  sample: '/claim/sample',
  url: true,
}
const purchaseNumber: Variable = {
  name: 'number',
  meaning: 'The purchase’s number, as you find it in the dashboard.',
  sample: '0198c2f0-5c1e-7d3a-9b7e-2f6d4a8c1e90',
}
const purchasePage: Variable = {
  name: 'status_url',
  meaning: 'The purchase’s own page.',
  sample: '/p/sample',
  url: true,
}

/** The variables that a template of each type may use. */
export const VARIABLES: Record<EditableType, readonly Variable[]> = {
  REDEEM_NFT: [
    organization,
    domain,
    item,
    { ...link, required: true },
    quantity,
    ...quantityForms,
    {
      name: 'expires_on',
      meaning: 'The last day on which it can be taken. Missing when it doesn’t expire.',
      sample: '20 December 2026',
      optional: true,
    },
    {
      name: 'retry',
      meaning: 'There when a delivery failed and this is a second chance.',
      sample: 'yes',
      optional: true,
      rare: true,
    },
    {
      name: 'from_holder',
      meaning: 'There when a holder of the item sends it, and not you.',
      sample: 'yes',
      optional: true,
      rare: true,
    },
    picture,
    unsubscribe,
  ],
  CLAIM_PINCODE: [
    organization,
    domain,
    item,
    { name: 'pin', meaning: 'The PIN: six digits.', sample: '482913', required: true },
    { name: 'minutes', meaning: 'How long the PIN works.', sample: '10' },
  ],
  CLAIMED_NFT: [
    organization,
    domain,
    item,
    link,
    { name: 'address', meaning: 'Where the item went.', sample: '0x70997970C51812dc3A010C7d01b50e0d17dc79C8' },
    { name: 'network_name', meaning: 'The network it is on.', sample: 'Polygon' },
    {
      name: 'explorer_url',
      meaning: 'The transaction in a block explorer. Missing on networks without one.',
      sample: '/',
      optional: true,
      url: true,
    },
    picture,
  ],
  RECEIPT: [
    organization,
    domain,
    item,
    { name: 'amount', meaning: 'What was paid, with its currency.', sample: '19.99 EUR' },
    quantity,
    ...quantityForms,
    { name: 'paid_on', meaning: 'The day of the payment.', sample: '20 November 2026' },
    purchaseNumber,
    purchasePage,
    { name: 'by_mail', meaning: 'There when the item comes in a mail of its own.', sample: 'yes', optional: true },
    picture,
  ],
  REFUND: [
    organization,
    domain,
    item,
    { name: 'amount', meaning: 'What was paid back, with its currency.', sample: '19.99 EUR' },
    {
      name: 'part',
      meaning: 'How many of the units it is for, such as 1 of 3. Missing when all was refunded.',
      sample: '1 of 3',
      optional: true,
    },
    {
      name: 'reason',
      meaning: 'Why it was refunded, as a sentence.',
      sample: 'It could not be delivered.',
      optional: true,
    },
    {
      name: 'to_card',
      meaning: 'There when the money goes to the card it came from.',
      sample: 'yes',
      optional: true,
    },
    purchaseNumber,
    purchasePage,
    picture,
  ],
  CLAIM_REMINDER: [
    organization,
    domain,
    item,
    { ...link, required: true },
    quantity,
    ...quantityForms,
    { name: 'expires_on', meaning: 'The last day on which it can be taken.', sample: '20 December 2026' },
    picture,
    unsubscribe,
  ],
}

/** A variable's sample value, with full URLs, and dates and amounts in the language. */
export function sampleOf(
  { name, sample }: Variable,
  { origin, organizationName, locale = DEFAULT_LOCALE }: { origin: string; organizationName: string; locale?: Locale },
): string {
  if (name === 'organization_name') return organizationName
  if (sample.startsWith('/')) return `${origin}${sample}`
  return locale === DEFAULT_LOCALE ? sample : (SAMPLES[name]?.(locale) ?? sample)
}

/** Samples that read differently in each language. */
const SAMPLES: Readonly<Record<string, (locale: Locale) => string>> = {
  expires_on: (locale) => dayOf(new Date('2026-12-20'), locale),
  paid_on: (locale) => dayOf(new Date('2026-11-20'), locale),
  amount: (locale) => amountOf(1999n, 'EUR', 2, locale),
  part: (locale) => unitsOf(1n, 3n, locale),
}

/** Sample values of all variables. `optional: false` leaves the optional ones out. */
export function samplesOf(
  type: EditableType,
  given: { origin: string; organizationName: string; optional?: boolean; locale?: Locale },
): Values {
  const isThere = ({ optional, rare }: Variable) => !rare && (!optional || given.optional !== false)
  return Object.fromEntries(
    VARIABLES[type].map((variable) => [variable.name, isThere(variable) ? sampleOf(variable, given) : null]),
  )
}
