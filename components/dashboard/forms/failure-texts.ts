'use client'

import { useFormatter, useLocale, useTranslations } from 'next-intl'
import { type ActionFailure, type FailedRow, type FieldIssue, reasonOf } from '@/lib/platform/api/form-action'
import { DEFAULT_LOCALE } from '@/lib/core/locales'

const MOMENT = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/

/**
 * Says why something failed in the language of the page. Problem documents are in English and know the details, so a
 * page in English shows their sentences; any other says what their codes mean.
 */
export function useFailureTexts() {
  const t = useTranslations('dashboard')
  const format = useFormatter()
  const isEnglish = useLocale() === DEFAULT_LOCALE

  function textOfCode(code: string, detail: string): string {
    const key = `errors.${code}` as 'errors.internal' // any code, so it is asked for first
    if (isEnglish) return detail
    return t.has(key) ? t(key) : t('errors.general')
  }

  function valueInWords(value: unknown): string {
    if (value === null || value === '') return t('common.meanwhile.nothing')
    if (typeof value === 'boolean') return value ? t('common.meanwhile.yes') : t('common.meanwhile.no')
    if (typeof value !== 'string') return JSON.stringify(value)
    if (!MOMENT.test(value)) return t('common.meanwhile.text', { text: value })
    const timeZone = Intl.DateTimeFormat().resolvedOptions().timeZone
    return format.dateTime(new Date(value), { dateStyle: 'medium', timeStyle: 'medium', timeZone })
  }

  function textOfField({ code, detail, meanwhile }: FieldIssue): string {
    if (meanwhile)
      return t('common.meanwhile.field', {
        theirs: valueInWords(meanwhile.theirs),
        yours: valueInWords(meanwhile.yours),
      })
    if (isEnglish) return detail
    const keys = [`errors.fields.${code}` as 'errors.fields.required', `errors.${code}` as 'errors.internal']
    return t(keys.find((key) => t.has(key)) ?? 'errors.fields.general')
  }

  function inWords(failure: ActionFailure): ActionFailure {
    const { code, fields, issues } = failure
    if (!issues || (isEnglish && failure.code !== 'precondition_failed')) return failure
    const linesOf = (control: string | null) => issues.filter((issue) => issue.control === control)
    const unique = (lines: string[]) => [...new Set(lines)]
    const message = textOfCode(code, failure.message)
    return {
      ...failure,
      message,
      fields: Object.fromEntries(
        Object.entries(fields).map(([control, lines]) => {
          const own = linesOf(control)
          return [control, own.length > 0 ? unique(own.map(textOfField)) : lines]
        }),
      ),
      others: unique(linesOf(null).map((issue) => `${issue.field}: ${textOfField(issue)}`)).filter(
        (line) => !line.endsWith(message),
      ),
    }
  }

  const rowReason = ({ failure, reason }: FailedRow): string => (failure ? reasonOf(inWords(failure)) : reason)

  return { inWords, textOfCode, rowReason }
}
