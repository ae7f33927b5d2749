import type { AlarmKind } from '../../records/alarms/raise-alarm.ts'
import type { Locale } from '../../core/locales.ts'
import { filled, memberWords } from '../templates/mail-words.ts'

type Words = {
  /** A sentence about what happened. */
  title: string
  /** The remedy, in a sentence or two. */
  toDo: string
}

/** The words about a kind of alarm in a language, besides the alarm's own detail, which is in English. */
export function alarmWords(kind: string, locale: Locale): Words {
  const alarms: Record<AlarmKind | 'other', Words> = memberWords(locale).alarms
  // A kind that this version doesn't know: another one may have written the alarm.
  const { title, toDo } = Object.hasOwn(alarms, kind) ? alarms[kind as AlarmKind] : alarms.other
  return { title: filled(title, locale), toDo: filled(toDo, locale) }
}
