'use client'

import { useState } from 'react'
import type { FormAction } from '@/lib/platform/api/form-action'
import { Input } from '@/components/ui/input'
import { Textarea } from '@/components/ui/textarea'
import { contrastOf, readableOn } from '@/lib/core/contrast'
import { ActionForm, FormField, Submit } from '../forms/action-form'
import { UploadField } from '../forms/upload-field'

type Look = { logo_url: string | null; colour: string | null; footer: string | null }

const COLOUR = /^#[0-9a-f]{6}$/i
const OURS = '#14211f'

/** The organization's logo, colour and small print on its pages and in the platform's templates. */
export function LookForm({ action, look }: { action: FormAction; look: Look }) {
  const [colour, setColour] = useState(look.colour ?? '')
  const sound = COLOUR.test(colour)
  const ground = sound ? colour : OURS
  const problem =
    sound && contrastOf(colour, readableOn(colour)) < 4.5
      ? 'Text is hard to read on this colour. Choose a slightly lighter or darker one.'
      : null
  return (
    <ActionForm action={action} className="max-w-2xl gap-6">
      <UploadField
        name="brand.logo_url:null"
        label="Logo"
        hint="Shown at the top of your pages and emails, 140 pixels wide. Upload it here: emails don’t load pictures from other sites."
        defaultValue={look.logo_url}
        shape="wide"
        optional
      />
      <FormField
        name="brand.colour"
        label="Colour of buttons"
        hint="As #rrggbb. Links and lines of your pages take it too, darker or lighter where they need it."
        error={problem}
        optional
      >
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
            aria-label="Choose a colour"
            value={ground}
            onChange={(event) => setColour(event.target.value)}
            className="size-10 rounded-md border border-edge bg-pane p-1"
          />
          <svg aria-hidden="true" viewBox="0 0 132 40" className="h-10 w-33">
            <rect width="132" height="40" rx="6" fill={ground} />
            <text x="66" y="25" textAnchor="middle" fontSize="14" fontWeight="600" fill={readableOn(ground)}>
              See what it is
            </text>
          </svg>
        </div>
      </FormField>
      <FormField
        name="brand.footer"
        label="Footer"
        hint="Shown at the end of every email, for example your address."
        optional
      >
        <Textarea name="brand.footer:null" defaultValue={look.footer ?? ''} rows={3} maxLength={500} />
      </FormField>
      <div>
        <Submit>Save the look</Submit>
      </div>
    </ActionForm>
  )
}
