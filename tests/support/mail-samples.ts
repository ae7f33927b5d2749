import type { TemplateType, TemplateVariables } from '../../lib/messaging/templates/mail-variables.ts'

const head = { organization_name: 'Museum & Sons', item_title: '<script>alert(1)</script>', sender_name: null }
const ALARM_LINE = {
  title: 'A refund doesn’t go through.',
  detail: 'The card provider refused it.',
  since: '20 November 2026 at 12:00 UTC',
  until: null,
  to_do: 'It is tried again by itself.',
}
const LINK = {
  title: '<b>Moonflower</b>',
  organization_name: 'Museum & Sons',
  url: 'http://localhost:3000/claim/a_b-c',
  until: '20 December 2026',
  bought_on: null,
}
/** Variables of each mail. */
export const SAMPLES: { [T in TemplateType]: TemplateVariables[T] } = {
  REDEEM_NFT: {
    ...head,
    claim_url: 'http://localhost:3000/claim/a_b-c',
    quantity: '3',
    expires_on: '20 December 2026',
    retry: null,
    from_holder: null,
    image_url: 'http://localhost:3000/media/x-full.webp',
  },
  CLAIM_PINCODE: { ...head, pin: '048213', minutes: '10' },
  CLAIMED_NFT: {
    ...head,
    claim_url: 'http://localhost:3000/claim/a_b-c',
    address: '0x70997970C51812dc3A010C7d01b50e0d17dc79C8',
    network_name: 'Local',
    explorer_url: null,
    image_url: null,
  },
  RECEIPT: {
    ...head,
    amount: '19.99 USD',
    quantity: '2',
    paid_on: '20 November 2026',
    number: '0198c2f0-0000-7000-8000-000000000000',
    status_url: 'http://localhost:3000/p/0198c2f0-0000-7000-8000-000000000000#a_b-c',
    by_mail: 'yes',
    image_url: 'http://localhost:3000/media/x-full.webp',
  },
  REFUND: {
    ...head,
    amount: '1.99 USD',
    part: '1 of 3',
    reason: 'Somebody else got it on the chain.',
    to_card: 'yes',
    number: '0198c2f0-0000-7000-8000-000000000000',
    status_url: 'http://localhost:3000/p/0198c2f0-0000-7000-8000-000000000000#a_b-c',
    image_url: null,
  },
  CLAIM_REMINDER: {
    ...head,
    claim_url: 'http://localhost:3000/claim/a_b-c',
    quantity: '3',
    expires_on: '20 December 2026',
    image_url: 'http://localhost:3000/media/x-full.webp',
  },
  LINKS: {
    gifts: [LINK, { ...LINK, until: null }],
    purchases: [{ ...LINK, bought_on: '19 November 2026', url: 'http://localhost:3000/p/x#a_b-c' }],
    origin_host: 'localhost:3000',
  },
  SIGN_IN: {
    sign_in_url: 'http://localhost:3000/sign-in/confirm?token=1&email=a%40b.c',
    origin_host: 'localhost:3000',
    minutes: '60',
  },
  MEMBER_INVITE: {
    organization_name: 'Museum & Sons',
    inviter: 'ada@example.com',
    role: 'editor',
    sign_in_url: 'http://localhost:3000/join/a_b-c',
    days: '7',
  },
  WEBHOOK_DISABLED: {
    organization_name: 'Museum <Dawn>',
    webhook_name: 'Shop',
    webhook_url: 'https://shop.example.com/hooks',
    reason: 'Its receiver answered 410 Gone.',
    dashboard_url: 'http://localhost:3000/dashboard/webhooks/1',
  },
  SUSPENSION: {
    organization_name: 'Museum',
    what: 'The collection Dawn of Museum',
    reason: 'The pictures <belong> to somebody else.',
    lifted: null,
    operator_email: 'operator@example.org',
    dashboard_url: 'http://localhost:3000/dashboard',
  },
  ALARM: {
    headline: '2 new alarms, 1 over',
    opened: [ALARM_LINE, { ...ALARM_LINE, title: 'A mail <could> not be delivered.' }],
    ended: [{ ...ALARM_LINE, until: '20 November 2026 at 12:05 UTC', to_do: null }],
    more: '3',
    dashboard_url: 'http://localhost:3000/dashboard',
    reason: 'You get this mail since you are an owner of Museum & Sons.',
  },
  PROTECTED_CHANGE: {
    organization_name: 'Museum & Sons',
    change: 'The API key “Shop <1>” was made for LIVE networks.',
    changed_by: 'ada@example.com',
    dashboard_url: 'http://localhost:3000/dashboard/audit',
  },
  PASSKEY_CHANGE: {
    change: 'The passkey “Phone <1>” was added.',
    origin_host: 'localhost:3000',
    dashboard_url: 'http://localhost:3000/dashboard/settings/passkeys',
  },
  TEST: { organization_name: 'Museum & Sons', sent_at: '20 November 2026 at 12:00' },
}
