import { LOCALES } from '@/lib/core/locales'
import type { EditableType } from '@/lib/platform/api/email-templates'
import { Chip, Chips } from '../lists/chips'
import { templatePath, type TemplateScope } from './template-labels'

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
  const names = new Intl.DisplayNames('en', { type: 'language' })
  return (
    <Chips label="Language">
      <Chip href={templatePath(type, { ...scope, locale: null })} current={scope.locale === null}>
        All languages
      </Chip>
      {LOCALES.map((locale) => (
        <Chip key={locale} href={templatePath(type, { ...scope, locale })} current={scope.locale === locale}>
          {names.of(locale)}
          {variants.includes(locale) && (
            <>
              <span aria-hidden>&nbsp;•</span>
              <span className="sr-only"> has words of its own</span>
            </>
          )}
        </Chip>
      ))}
    </Chips>
  )
}
