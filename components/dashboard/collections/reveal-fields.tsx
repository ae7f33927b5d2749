'use client'

import { useState } from 'react'
import { useTranslations } from 'next-intl'
import { RadioChoices } from '@/components/ui/radio-choices'
import { Input } from '@/components/ui/input'
import { Textarea } from '@/components/ui/textarea'
import { FormError, FormField } from '../forms/action-form'
import { Section } from '../forms/section'
import { UploadField } from '../forms/upload-field'

export type RevealDraft = { strategy: 'INSTANT' | 'DELAYED'; preview: Record<string, unknown> | null; fixed: boolean }

const textOf = (value: unknown): string => (typeof value === 'string' ? value : '')

/** When items are revealed: at once, or all together later. `fixed`: items are locked, so the choice can't change. */
export function RevealFields({
  draft = { strategy: 'INSTANT', preview: null, fixed: false },
}: {
  draft?: RevealDraft
}) {
  const t = useTranslations('dashboard.collections.revealFields')
  const [strategy, setStrategy] = useState(draft.strategy)
  const preview = draft.preview ?? {}
  if (draft.fixed && draft.strategy === 'INSTANT') return null
  return (
    <Section title={t('title')} description={draft.fixed ? t('fixed') : undefined}>
      {!draft.fixed && (
        <RadioChoices
          legend={t('question')}
          name="reveal_strategy"
          value={strategy}
          onChange={setStrategy}
          options={[
            { value: 'INSTANT', label: t('instant'), hint: t('instantHint') },
            {
              value: 'DELAYED',
              label: t('delayed'),
              hint: t('delayedHint'),
            },
          ]}
        />
      )}
      <FormError name="reveal_strategy" />
      {strategy === 'DELAYED' && (
        <>
          <FormField
            name="preview_metadata.title"
            label={t('untilThen.title')}
            hint={t('untilThen.titleHint')}
            optional
          >
            <Input
              name="preview_metadata.title"
              defaultValue={textOf(preview.title)}
              autoComplete="off"
              maxLength={255}
              placeholder={t('untilThen.titleExample')}
            />
          </FormField>
          <FormField name="preview_metadata.description" label={t('untilThen.description')} optional>
            <Textarea name="preview_metadata.description:long" defaultValue={textOf(preview.description)} />
          </FormField>
          <UploadField
            name="preview_metadata.image_url"
            label={t('untilThen.picture')}
            defaultValue={textOf(preview.image_url)}
            optional
          />
        </>
      )}
    </Section>
  )
}
