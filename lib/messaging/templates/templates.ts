import { DEFAULT_LOCALE, type Locale } from '../../core/locales.ts'
import type { Template } from './catalogue-mail.ts'
import type { MailWords } from './mail-words.ts'
import type { TemplateType } from './mail-variables.ts'
import { memberMail } from './member-mails.ts'
import { isRecipientMail, recipientMail } from './recipient-mails.ts'

/**
 * A built-in mail in a language. `words`: those of the catalogue of mails to recipients, unless others take their
 * place.
 */
export const templateOf = (type: TemplateType, locale: Locale = DEFAULT_LOCALE, words?: MailWords): Template =>
  isRecipientMail(type) ? recipientMail(type, locale, words) : memberMail(type, locale)
