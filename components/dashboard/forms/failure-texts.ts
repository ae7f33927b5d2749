'use client'

import { useLocale, useTranslations } from 'next-intl'
import { type ActionFailure, type FailedRow, type FieldIssue, reasonOf } from '@/lib/platform/api/form-action'
import { DEFAULT_LOCALE } from '@/lib/core/locales'

/**
 * Says why something failed in the language of the page. Problem documents are in English and know the details, so a page in English shows
 * their sentences; any other says what their codes mean.
 */
export function useFailureTexts() {
  const t = useTranslations('dashboard')
  const isEnglish = useLocale() === DEFAULT_LOCALE

  function textOfCode(code: string, detail: string): string {
    const key = `errors.${code}` as 'errors.internal' // any code, so it is asked for first
    if (isEnglish) return detail
    return t.has(key) ? t(key) : t('errors.general')
  }

  function textOfField({ code, detail }: FieldIssue): string {
    if (isEnglish) return detail
    const keys = [`errors.fields.${code}` as 'errors.fields.required', `errors.${code}` as 'errors.internal']
    return t(keys.find((key) => t.has(key)) ?? 'errors.fields.general')
  }

  function inWords(failure: ActionFailure): ActionFailure {
    const { code, fields, issues } = failure
    if (isEnglish || !issues) return failure
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
