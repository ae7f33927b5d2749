import { DEFAULT_LOCALE, type Locale } from '../../core/locales.ts'
import type { MailWords } from './mail-words.ts'
import type { TemplateType } from './mail-variables.ts'
import { isRecipientMail, recipientMail, type RecipientType, type Template } from './recipient-mails.ts'

/** A built-in mail. What members and operators get is in English. */
export const templateOf = (type: TemplateType, locale: Locale = DEFAULT_LOCALE, words?: MailWords): Template =>
  isRecipientMail(type) ? recipientMail(type, locale, words) : TEMPLATES[type]

const TEMPLATES: { [T in Exclude<TemplateType, RecipientType>]: Template } = {
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
