import type { Locale } from '../../core/locales.ts'
import { asMustache, headOf, type Template, unless, when } from './catalogue-mail.ts'
import type { TemplateType } from './mail-variables.ts'
import { type MemberWords, memberWords } from './mail-words.ts'
import type { RecipientType } from './recipient-mails.ts'

/** Mails to members and operators, which organizations can't change. */
type MemberType = Exclude<TemplateType, RecipientType>

/** Without what is put into mails as variables. */
type MailTexts = Omit<MemberWords, 'alarms' | 'changes' | 'roles'>

/** A mail of the catalogue, of words that are Mustache already. */
const MAILS: { [T in MemberType]: (words: MailTexts) => Template } = {
  SIGN_IN: ({ signIn }) => ({
    ...headOf(signIn),
    lead: [signIn.lead],
    button: { label: signIn.button, url: '{{sign_in_url}}' },
    notes: [signIn.once, signIn.note],
  }),
  MEMBER_INVITE: ({ invite }) => ({
    ...headOf(invite),
    lead: [invite.lead],
    button: { label: invite.button, url: '{{sign_in_url}}' },
    notes: [invite.valid, invite.note],
  }),
  WEBHOOK_DISABLED: ({ webhookDisabled }) => ({
    ...headOf({ ...webhookDisabled, preheader: '{{reason}}' }),
    lead: [webhookDisabled.lead, webhookDisabled.next],
    button: { label: webhookDisabled.button, url: '{{dashboard_url}}' },
    notes: [webhookDisabled.note],
  }),
  ALARM: ({ alarm }) => ({
    ...headOf({ ...alarm, subject: '{{headline}}', heading: '{{headline}}' }),
    lead: [when('opened', `${alarm.opened}\n\n`), when('ended', `${alarm.ended}\n\n`), when('more', alarm.more)],
    button: { label: alarm.button, url: '{{dashboard_url}}' },
    notes: [alarm.note],
  }),
  PROTECTED_CHANGE: ({ protectedChange }) => ({
    ...headOf({ ...protectedChange, preheader: '{{change}}' }),
    lead: [protectedChange.lead],
    button: { label: protectedChange.button, url: '{{dashboard_url}}' },
    notes: [protectedChange.note],
  }),
  PASSKEY_CHANGE: ({ passkeyChange }) => ({
    ...headOf({ ...passkeyChange, preheader: '{{change}}' }),
    lead: [passkeyChange.lead],
    button: { label: passkeyChange.button, url: '{{dashboard_url}}' },
    notes: [passkeyChange.note],
  }),
  SUSPENSION: ({ suspension }) => {
    const subject = unless('lifted', suspension.subject) + when('lifted', suspension.subjectLifted)
    return {
      ...headOf({ subject, heading: subject, preheader: '{{reason}}' }),
      lead: [
        unless('lifted', suspension.lead) + when('lifted', suspension.lifted),
        unless('lifted', suspension.still),
        when('operator_email', suspension.questions),
      ],
      button: { label: suspension.button, url: '{{dashboard_url}}' },
      notes: [suspension.note],
    }
  },
  TEST: ({ test }) => ({ ...headOf(test), lead: [test.lead], notes: [test.note] }),
}

/** A mail to members or operators in a language. */
export function memberMail(type: MemberType, locale: Locale): Template {
  const { alarms: _alarms, changes: _changes, roles: _roles, ...texts } = memberWords(locale)
  return MAILS[type](asMustache(texts, locale))
}
