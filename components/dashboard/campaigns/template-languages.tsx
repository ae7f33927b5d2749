import { useLocale, useTranslations } from 'next-intl'
import { LOCALES } from '@/lib/core/locales'
import type { EditableType } from '@/lib/platform/api/email-templates'
import { Chip, Chips } from '../lists/chips'
import { templatePath, type TemplateScope } from './template-paths'

/** Which language's variant of a template is edited: without one, the template for all others. A dot marks variants that exist. */
export function TemplateLanguages({
  type,
  scope,
  variants,
}: {
  type: EditableType
  scope: TemplateScope
  variants: readonly string[]
}) {
  const t = useTranslations('dashboard.campaigns.templates')
  const names = new Intl.DisplayNames(useLocale(), { type: 'language' })
  return (
    <Chips label={t('language')}>
      <Chip href={templatePath(type, { ...scope, locale: null })} current={scope.locale === null}>
        {t('allLanguages')}
      </Chip>
      {LOCALES.map((locale) => (
        <Chip key={locale} href={templatePath(type, { ...scope, locale })} current={scope.locale === locale}>
          <span>{names.of(locale)}</span>
          {variants.includes(locale) && (
            <>
              <span aria-hidden>&nbsp;•</span>
              <span className="sr-only">{` ${t('ownWords')}`}</span>
            </>
          )}
        </Chip>
      ))}
    </Chips>
  )
}
