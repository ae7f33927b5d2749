'use client'

import { useLocale, useTranslations } from 'next-intl'
import { Problem, Unreachable } from '@/packages/client/src/call'

/**
 * The sentence that tells a person about a failed call, by the code of its problem document. The document's own detail
 * is in English, for developers.
 */
export function useFailureText(): (failure: unknown) => string {
  const t = useTranslations('errors')
  const locale = useLocale()

  function textOfProblem({ code, detail, retryAfterSeconds: seconds }: Problem): string {
    if (code === 'rate_limited') {
      if (!seconds) return t('wait')
      return seconds < 90 ? t('waitSeconds', { seconds }) : t('waitMinutes', { minutes: Math.ceil(seconds / 60) })
    }
    const key = code as 'general' // any code, so it is asked for first
    if (t.has(key)) return t(key)
    return locale === 'en' ? detail : t('general')
  }

  return (failure) => {
    if (failure instanceof Problem) return textOfProblem(failure)
    return failure instanceof Unreachable ? t('unreachable') : t('general')
  }
}
