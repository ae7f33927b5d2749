import ar from '../../../messages/ar.json' with { type: 'json' }
import de from '../../../messages/de.json' with { type: 'json' }
import en from '../../../messages/en.json' with { type: 'json' }
import es from '../../../messages/es.json' with { type: 'json' }
import fr from '../../../messages/fr.json' with { type: 'json' }
import it from '../../../messages/it.json' with { type: 'json' }
import ja from '../../../messages/ja.json' with { type: 'json' }
import ko from '../../../messages/ko.json' with { type: 'json' }
import nl from '../../../messages/nl.json' with { type: 'json' }
import pl from '../../../messages/pl.json' with { type: 'json' }
import ptBR from '../../../messages/pt-BR.json' with { type: 'json' }
import zhHans from '../../../messages/zh-Hans.json' with { type: 'json' }
import type { Locale } from '../../core/locales.ts'
import { fillSubject } from './fill.ts'
import { mustacheOf } from './icu-to-mustache.ts'

/** What mails to recipients and buyers say, by keys: ICU messages of the catalogues. */
export type MailWords = (typeof en)['mail']

const WORDS: Readonly<Record<Locale, MailWords>> = {
  ar: ar.mail,
  de: de.mail,
  en: en.mail,
  es: es.mail,
  fr: fr.mail,
  it: it.mail,
  ja: ja.mail,
  ko: ko.mail,
  nl: nl.mail,
  pl: pl.mail,
  'pt-BR': ptBR.mail,
  'zh-Hans': zhHans.mail,
}

export const mailWords = (locale: Locale): MailWords => WORDS[locale]

/** How many of how many: “1 of 3”. */
export const unitsOf = (units: bigint, total: bigint, locale: Locale): string => {
  const written = (number: bigint) => new Intl.NumberFormat(locale).format(number)
  return fillSubject(mustacheOf(mailWords(locale).refund.units, locale), {
    units: written(units),
    total: written(total),
  })
}
