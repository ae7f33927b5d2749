import type { Locale } from '../core/locales.ts'
import { filled, type MemberWords, memberWords } from './templates/mail-words.ts'

/** What each protected change names in its sentence. */
type Named = {
  ownerInvited: { email: string }
  ownerMade: { email: string }
  ownerNoMore: { email: string }
  memberRemoved: { email: string }
  liveKeyMade: { name: string }
  mailMade: object
  mailChanged: object
  mailActivated: object
  mailDeleted: object
  webhookMade: { name: string; url: string }
  webhookMoved: { name: string; url: string }
  webhookSecret: { name: string }
  payoutChanged: { address: string }
  payoutRemoved: object
  passkeysNeeded: object
  passkeysOptional: object
  rolesFollow: object
  rolesFree: object
  passkeyAdded: { name: string }
  passkeyAddedWithoutOne: { name: string }
}

/** What was done, for people: a sentence of the catalogues and what it names. */
export type Change = { [K in keyof MemberWords['changes']]: { what: K } & Named[K] }[keyof MemberWords['changes']]

/** What was done, as a sentence. */
export const changeIn = (locale: Locale, { what, ...named }: Change): string =>
  filled(memberWords(locale).changes[what], locale, named)
