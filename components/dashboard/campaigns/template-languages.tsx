import { useFormatter, useLocale, useTranslations } from 'next-intl'
import { Alert } from '@/components/ui/alert'
import { type Locale, LOCALES } from '@/lib/core/locales'
import type { EditableType } from '@/lib/platform/api/email-templates'
import { Chip, Chips } from '../lists/chips'
import { templatePath, type TemplateScope } from './template-paths'

type Props = {
  type: EditableType
  scope: TemplateScope
  variants: readonly string[]
  /** The organization's own language. */
  own: Locale
}

/**
 * Which language's words are edited, and who gets them. The organization's own comes first. A dot marks languages with
 * words of their own.
 */
export function TemplateLanguages({ type, scope, variants, own }: Props) {
  const t = useTranslations('dashboard.campaigns.templates')
  const names = new Intl.DisplayNames(useLocale(), { type: 'language' })
  const format = useFormatter()
  const nameOf = (locale: string) => names.of(locale) ?? locale
  const others = LOCALES.filter((locale) => !variants.includes(locale)).map(nameOf)
  return (
    <div className="grid gap-3">
      <Chips label={t('language')}>
        {[own, ...LOCALES.filter((locale) => locale !== own)].map((locale) => (
          <Chip key={locale} href={templatePath(type, { ...scope, locale })} current={scope.locale === locale}>
            <span>{nameOf(locale)}</span>
            {variants.includes(locale) && (
              <>
                <span aria-hidden>&nbsp;•</span>
                <span className="sr-only">{` ${t('ownWords')}`}</span>
              </>
            )}
          </Chip>
        ))}
        <Chip href={templatePath(type, { ...scope, locale: null })} current={scope.locale === null}>
          {t('allLanguages')}
        </Chip>
      </Chips>
      {scope.locale !== null ? (
        <p className="text-sm text-muted">{t('forLanguage', { language: nameOf(scope.locale) })}</p>
      ) : others.length > 0 ? (
        <Alert tone="warning" title={t('forAll')}>
          {t('forAllText', { languages: format.list(others) })}
        </Alert>
      ) : (
        <Alert tone="info" title={t('forNobody')} />
      )}
    </div>
  )
}
