'use client'

import { useTranslations } from 'next-intl'
import { useFailureTexts } from './failure-texts'
import { UploadFailure } from './upload'

/** Says why a file wasn't uploaded. */
export function useUploadTexts(): (failure: unknown, file: File) => string {
  const t = useTranslations('dashboard.common')
  const { textOfCode } = useFailureTexts()
  return (failure, file) => {
    if (!(failure instanceof UploadFailure)) return t('retry')
    const { reason, problem } = failure
    if (reason === 'tooLarge') return t('upload.tooLarge', { name: file.name || t('upload.thisFile') })
    if (reason !== 'refused') return t(`upload.${reason}`)
    return problem ? textOfCode(problem.code, problem.detail) : t('retry')
  }
}
