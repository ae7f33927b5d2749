'use client'

import { useState } from 'react'
import { useTranslations } from 'next-intl'
import { Field } from '@/components/ui/field'
import { Input } from '@/components/ui/input'
import { Textarea } from '@/components/ui/textarea'
import { FormField } from '../forms/action-form'

/** Codes as lines, typed, pasted or read from a file. */
export function CodesField() {
  const t = useTranslations('dashboard.perks.codes')
  const [codes, setCodes] = useState('')
  const count = codesIn(codes).length
  return (
    <>
      <FormField name="codes" label={t('label')} hint={count === 0 ? t('hint') : t('count', { count })} required>
        <Textarea
          name="codes"
          rows={6}
          className="figures"
          spellCheck={false}
          autoComplete="off"
          value={codes}
          onChange={({ target }) => setCodes(target.value)}
        />
      </FormField>
      <Field label={t('file')} optional>
        <Input
          type="file"
          accept=".txt,.csv,text/plain,text/csv"
          onChange={async ({ target }) => setCodes((await target.files?.[0]?.text()) ?? '')}
        />
      </Field>
    </>
  )
}

/** The different codes of a text. */
export const codesIn = (text: string): string[] => [
  ...new Set(
    text
      .split(/\r?\n|\r/)
      .map((line) => line.trim())
      .filter((line) => line !== ''),
  ),
]
