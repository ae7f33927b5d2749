'use client'

import { useState } from 'react'
import { useTranslations } from 'next-intl'
import type { FormAction, Opened } from '@/lib/platform/api/form-action'
import { Input } from '@/components/ui/input'
import { Textarea } from '@/components/ui/textarea'
import { contrastOf, readableOn } from '@/lib/core/contrast'
import { ActionForm, FormField, Submit } from '../forms/action-form'
import { UploadField } from '../forms/upload-field'

type Look = { logo_url: string | null; colour: string | null; footer: string | null }

const COLOUR = /^#[0-9a-f]{6}$/i
const OURS = '#14211f'

/** The organization's logo, colour and small print on its pages and in the platform's templates. */
export function LookForm({ action, opened, look }: { action: FormAction; opened: Opened; look: Look }) {
  const t = useTranslations('dashboard.settings.look')
  const [colour, setColour] = useState(look.colour ?? '')
  const sound = COLOUR.test(colour)
  const ground = sound ? colour : OURS
  const problem = sound && contrastOf(colour, readableOn(colour)) < 4.5 ? t('hard') : null
  return (
    <ActionForm action={action} opened={opened} className="max-w-2xl gap-6">
      <UploadField
        name="brand.logo_url:null"
        label={t('logo')}
        hint={t('logoHint')}
        defaultValue={look.logo_url}
        shape="wide"
        optional
      />
      <FormField name="brand.colour" label={t('colour')} hint={t('colourHint')} error={problem} optional>
        <div className="flex flex-wrap items-center gap-3">
          <Input
            name="brand.colour:null"
            value={colour}
            onChange={(event) => setColour(event.target.value.trim())}
            placeholder={OURS}
            autoComplete="off"
            spellCheck={false}
            maxLength={7}
            className="figures max-w-32"
          />
          <input
            type="color"
            aria-label={t('choose')}
            value={ground}
            onChange={(event) => setColour(event.target.value)}
            className="size-10 rounded-md border border-edge bg-pane p-1"
          />
          <svg aria-hidden="true" viewBox="0 0 132 40" className="h-10 w-33">
            <rect width="132" height="40" rx="6" fill={ground} />
            <text x="66" y="25" textAnchor="middle" fontSize="14" fontWeight="600" fill={readableOn(ground)}>
              {t('example')}
            </text>
          </svg>
        </div>
      </FormField>
      <FormField name="brand.footer" label={t('footer')} hint={t('footerHint')} optional>
        <Textarea name="brand.footer:long" defaultValue={look.footer ?? ''} rows={3} maxLength={500} />
      </FormField>
      <div>
        <Submit>{t('save')}</Submit>
      </div>
    </ActionForm>
  )
}
