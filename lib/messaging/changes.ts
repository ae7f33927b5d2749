import type { Locale } from '../core/locales.ts'
import { filled, type MemberWords, memberWords } from './templates/mail-words.ts'

/** The names in the sentence about each protected change. */
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

/** A change for people: a sentence of the catalogues and the names in it. */
export type Change = { [K in keyof MemberWords['changes']]: { what: K } & Named[K] }[keyof MemberWords['changes']]

/** The sentence about a change. */
export const changeIn = (locale: Locale, { what, ...named }: Change): string =>
  filled(memberWords(locale).changes[what], locale, named)
