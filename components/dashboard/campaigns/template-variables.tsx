'use client'

import { useTranslations } from 'next-intl'
import { Badge } from '@/components/ui/badge'
import { Button } from '@/components/ui/button'
import { Sentence } from '@/components/ui/sentence'

export type EditorVariable = {
  name: string
  meaning: string
  sample: string
  required: boolean
  optional: boolean
  url: boolean
  /** It is there or not, and says nothing itself. */
  flag: boolean
}

/** The variables of a mail, each with a button that puts it where the cursor was last. */
export function Variables({
  variables,
  onInsert,
}: {
  variables: EditorVariable[]
  onInsert: (variable: EditorVariable) => void
}) {
  const t = useTranslations('dashboard.campaigns.variables')
  return (
    <section className="rounded-lg border bg-pane">
      <h2 className="px-5 pt-4 font-medium">{t('title')}</h2>
      <p className="px-5 pt-0.5 pb-3 text-sm text-muted">{t('text')}</p>
      <ul className="divide-y border-t">
        {variables.map((variable) => (
          <li key={variable.name} className="flex items-center justify-between gap-4 px-5 py-2.5">
            <span className="grid min-w-0 gap-0.5 text-sm">
              <span className="flex flex-wrap items-center gap-x-2 gap-y-1">
                <code className="figures wrap-anywhere">{`{{${variable.name}}}`}</code>
                {variable.required && <Badge tone="warning">{t('needed')}</Badge>}
                {variable.optional && <Badge>{t('optional')}</Badge>}
              </span>
              <span className="text-muted wrap-anywhere">
                {t('suchAs', { meaning: variable.meaning, sample: variable.sample })}
              </span>
            </span>
            <Button size="sm" onClick={() => onInsert(variable)}>
              <Sentence>
                {t.rich('insert', {
                  variable: variable.name,
                  name: (text) => <span className="sr-only">{text}</span>,
                })}
              </Sentence>
            </Button>
          </li>
        ))}
      </ul>
    </section>
  )
}
