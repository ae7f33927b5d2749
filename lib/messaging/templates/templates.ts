import type { TemplateType } from './mail-variables.ts'

type Template = {
  subject: string
  /** The preview line that mail clients show after the subject. */
  preheader: string
  heading: string
  /** Paragraphs above the button, or above the PIN. */
  lead: readonly string[]
  /** Whether the item's image stands above the heading, if there is one. */
  picture?: boolean
  button?: { label: string; url: string }
  /** Shown large, to be typed elsewhere. */
  code?: string
  /** Small print below. */
  notes: readonly string[]
  /** Its reader may unsubscribe, where nobody asked or paid for it. */
  isRefusable?: true
}

export const TEMPLATES: { [T in TemplateType]: Template } = {
  REDEEM_NFT: {
    subject: '{{organization_name}} sent you “{{item_title}}”',
    preheader: 'Open it, prove that this mailbox is yours, and keep it.',
    picture: true,
    heading: '“{{item_title}}” is yours to take',
    lead: [
      '{{#retry}}The delivery you asked for did not arrive: the network turned it down. Nothing is lost. Open the link once more, ask for a new PIN, and if you can, give another address.{{/retry}}',
      '{{organization_name}} sent you {{#quantity}}{{quantity}} pieces of {{/quantity}}a digital collectible. You need nothing beforehand: open it, type the PIN we send you, and say where it should go.',
    ],
    button: { label: 'See what it is', url: '{{claim_url}}' },
    notes: [
      '{{#expires_on}}It waits for you until {{expires_on}}.{{/expires_on}}',
      '{{#from_holder}}Somebody who had it before sends it to you through {{organization_name}}. If you don’t take it, it goes back to them.{{/from_holder}}',
      'The link is meant for you alone: whoever has it can ask for a PIN, but the PIN only ever comes to this mailbox. If you expected nothing from {{organization_name}}, you can leave this mail be.',
    ],
    isRefusable: true,
  },
  CLAIM_PINCODE: {
    subject: '{{pin}} is your PIN for “{{item_title}}”',
    preheader: 'Type it on the page you came from. It works for {{minutes}} minutes.',
    heading: '{{pin}} is your PIN',
    lead: ['Type it on the page of “{{item_title}}”, which {{organization_name}} sent you.'],
    code: '{{pin}}',
    notes: [
      'It works once, within {{minutes}} minutes. A newer PIN takes its place.',
      'Nobody of {{organization_name}} and nobody of ours will ever ask you for it. If you didn’t ask for a PIN, you can leave this mail be.',
    ],
  },
  CLAIMED_NFT: {
    subject: '“{{item_title}}” has arrived',
    preheader: 'It is in your wallet, and it is yours.',
    picture: true,
    heading: '“{{item_title}}” is in your wallet',
    lead: [
      'It went to {{address}} on {{network_name}}. From now on it is yours: neither {{organization_name}} nor we can take it back.',
    ],
    button: { label: 'See it', url: '{{claim_url}}' },
    notes: ['{{#explorer_url}}The transaction, for those who like to check: {{explorer_url}}{{/explorer_url}}'],
  },
  RECEIPT: {
    subject: 'Your receipt for “{{item_title}}”',
    preheader: 'You paid {{amount}} to {{organization_name}}.',
    picture: true,
    heading: 'Thank you: {{amount}}',
    lead: [
      'You bought {{#quantity}}{{quantity}} pieces of {{/quantity}}“{{item_title}}” from {{organization_name}} on {{paid_on}} and paid {{amount}}.',
      '{{#by_mail}}Another mail brings you the link with which you take it. Open it whenever you like: what was paid for doesn’t run out.{{/by_mail}}',
    ],
    button: { label: 'See where it is', url: '{{status_url}}' },
    notes: [
      'Purchase {{number}}, sold by {{organization_name}}.',
      'The link opens the page of this purchase. Keep it to yourself.',
    ],
  },
  REFUND: {
    subject: 'Your refund for “{{item_title}}”',
    preheader: '{{organization_name}} paid back {{amount}}.',
    heading: 'You get {{amount}} back',
    lead: [
      '{{organization_name}} refunded {{amount}}, which you paid for “{{item_title}}”.',
      '{{#part}}This is for {{part}} of what you bought. What was delivered stays yours.{{/part}}',
      '{{#reason}}The reason: {{reason}}{{/reason}}',
      '{{#to_card}}The money goes to the card you paid with. Banks take up to ten days to show it.{{/to_card}}',
    ],
    button: { label: 'See the purchase', url: '{{status_url}}' },
    notes: [
      'Purchase {{number}}, sold by {{organization_name}}.',
      'The link opens the page of this purchase. Keep it to yourself.',
    ],
  },
  CLAIM_REMINDER: {
    subject: '“{{item_title}}” waits for you until {{expires_on}}',
    preheader: '{{organization_name}} kept it for you. It takes a minute.',
    picture: true,
    heading: '“{{item_title}}” still waits for you',
    lead: [
      '{{organization_name}} sent you {{#quantity}}{{quantity}} pieces of {{/quantity}}a digital collectible, and nobody has taken it yet. It waits until {{expires_on}}; after that it goes back.',
      'You need nothing beforehand: open it, type the PIN we send you, and say where it should go.',
    ],
    button: { label: 'See what it is', url: '{{claim_url}}' },
    notes: [
      'This is the same link as in our first mail, and the only reminder. If you don’t want it, you need do nothing.',
    ],
    isRefusable: true,
  },
  LINKS: {
    subject: 'Your gifts and purchases',
    preheader: 'The links you asked for.',
    heading: 'Your gifts and purchases',
    lead: [
      'Somebody asked on {{origin_host}} for the links of this mailbox.',
      '{{#gifts}}“{{title}}”, which {{organization_name}} sent you{{#until}}. It waits until {{until}}{{/until}}:\n{{url}}\n\n{{/gifts}}',
      '{{#purchases}}“{{title}}”, bought from {{organization_name}} on {{bought_on}}:\n{{url}}\n\n{{/purchases}}',
    ],
    notes: [
      'These are the links that we mailed you before. Whoever has one can see what it opens, so keep them to yourself.',
      'If you didn’t ask for them, you can leave this mail be: they went to nobody else.',
    ],
  },
  SIGN_IN: {
    subject: 'Sign in to Vitrine',
    preheader: 'Your link works once, within {{minutes}} minutes.',
    heading: 'Sign in to Vitrine',
    lead: ['Open this link on the device you want to work on.'],
    button: { label: 'Sign in', url: '{{sign_in_url}}' },
    notes: [
      'The link works once, within {{minutes}} minutes, on {{origin_host}}.',
      'If you didn’t ask to sign in, you can leave this mail be: nobody gets in without it.',
    ],
  },
  MEMBER_INVITE: {
    subject: '{{inviter}} invites you to {{organization_name}}',
    preheader: 'Work on {{organization_name}} in Vitrine. The link works for {{days}} days.',
    heading: 'Join {{organization_name}}',
    lead: ['{{inviter}} invites you to work on {{organization_name}} in Vitrine, with the role {{role}}.'],
    button: { label: 'Join', url: '{{sign_in_url}}' },
    notes: [
      'The link is meant for you alone and works for {{days}} days.',
      'If you don’t know {{inviter}}, you can leave this mail be: nothing happens without you.',
    ],
  },
  WEBHOOK_DISABLED: {
    subject: 'The webhook “{{webhook_name}}” was disabled',
    preheader: '{{reason}}',
    heading: 'The webhook “{{webhook_name}}” gets no more events',
    lead: [
      'It belongs to {{organization_name}} and posts to {{webhook_url}}. {{reason}}',
      'Once its receiver works again, enable it in the dashboard and replay what it missed: nothing of the last weeks is lost.',
    ],
    button: { label: 'Look at the webhook', url: '{{dashboard_url}}' },
    notes: [
      'You get this mail since you are an owner or admin of {{organization_name}}. Until the webhook is enabled again there won’t be another.',
    ],
  },
  ALARM: {
    subject: '{{headline}}',
    preheader: 'Vitrine noticed something that people should know.',
    heading: '{{headline}}',
    lead: [
      '{{#opened}}{{title}} {{detail}} Since {{since}}. {{to_do}}\n\n{{/opened}}',
      '{{#ended}}It is over: {{title}} {{detail}} It lasted from {{since}} until {{until}}.\n\n{{/ended}}',
      '{{#more}}And {{more}} more; the dashboard lists what is open.{{/more}}',
    ],
    button: { label: 'Open the dashboard', url: '{{dashboard_url}}' },
    notes: ['{{reason}} Another mail follows when an open alarm is over.'],
  },
  PROTECTED_CHANGE: {
    subject: 'A protected change in {{organization_name}}',
    preheader: '{{change}}',
    heading: 'Was this meant to happen?',
    lead: ['{{change}} {{changed_by}} did this in the dashboard of {{organization_name}}.'],
    button: { label: 'Open the audit log', url: '{{dashboard_url}}' },
    notes: [
      'You get this mail since you are an owner of {{organization_name}}. If nobody should have done this, undo it, and remove the member or have them end their sessions.',
    ],
  },
  PASSKEY_CHANGE: {
    subject: 'Your passkeys changed',
    preheader: '{{change}}',
    heading: 'Was this you?',
    lead: ['{{change}} It was done on {{origin_host}} by somebody signed in as you.'],
    button: { label: 'See your passkeys', url: '{{dashboard_url}}' },
    notes: ['If it wasn’t you, remove the passkeys that aren’t yours, and end all your other sessions.'],
  },
  SUSPENSION: {
    subject: '{{what}} {{^lifted}}was suspended{{/lifted}}{{#lifted}}is no longer suspended{{/lifted}}',
    preheader: '{{reason}}',
    heading: '{{what}} {{^lifted}}was suspended{{/lifted}}{{#lifted}}is no longer suspended{{/lifted}}',
    lead: [
      '{{^lifted}}Those who run this service stopped all selling, claiming and minting of it. Their reason: {{reason}}{{/lifted}}{{#lifted}}What waited goes on by itself: paid purchases, transactions, imports and mails.{{/lifted}}',
      '{{^lifted}}You can still sign in, read and export everything, and refund. What was paid and isn’t delivered waits until you refund it or the suspension ends. What people own stays theirs.{{/lifted}}',
      '{{#operator_email}}Questions go to {{operator_email}}.{{/operator_email}}',
    ],
    button: { label: 'Open the dashboard', url: '{{dashboard_url}}' },
    notes: ['You get this mail since you are an owner of {{organization_name}}.'],
  },
  TEST: {
    subject: 'A test from {{organization_name}}',
    preheader: 'Mail of {{organization_name}} arrives here.',
    heading: 'It works',
    lead: [
      'This mail left with the email settings of {{organization_name}} on {{sent_at}}. Since you read it, they work.',
    ],
    notes: ['Somebody of {{organization_name}} asked for it in Vitrine. There is nothing to do.'],
  },
}
