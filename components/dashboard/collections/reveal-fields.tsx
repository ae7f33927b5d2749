'use client'

import { useState } from 'react'
import { RadioChoices } from '@/components/ui/radio-choices'
import { Input } from '@/components/ui/input'
import { Textarea } from '@/components/ui/textarea'
import { FormError, FormField } from '../forms/action-form'
import { Section } from '../forms/section'
import { UploadField } from '../forms/upload-field'

export type RevealDraft = { strategy: 'INSTANT' | 'DELAYED'; preview: Record<string, unknown> | null; fixed: boolean }

const textOf = (value: unknown): string => (typeof value === 'string' ? value : '')
const SHOWN = ['title', 'description', 'image_url']

/** When items are revealed: at once, or all together later. `fixed`: items are locked, so the choice can't change. */
export function RevealFields({
  draft = { strategy: 'INSTANT', preview: null, fixed: false },
}: {
  draft?: RevealDraft
}) {
  const [strategy, setStrategy] = useState(draft.strategy)
  const preview = draft.preview ?? {}
  if (draft.fixed && draft.strategy === 'INSTANT') return null
  return (
    <Section
      title="Reveal"
      description={
        draft.fixed ? 'Items are locked, so it stays delayed. What is shown until then may still change.' : undefined
      }
    >
      {!draft.fixed && (
        <RadioChoices
          legend="When do people see what an item is?"
          name="reveal_strategy"
          value={strategy}
          onChange={setStrategy}
          options={[
            { value: 'INSTANT', label: 'At once', hint: 'Everybody sees what they buy.' },
            {
              value: 'DELAYED',
              label: 'When you reveal it',
              hint: 'Until the reveal, all items look the same. It then assigns the contents at random, in a way that anyone can verify. For collections in which every item is unique.',
            },
          ]}
        />
      )}
      <FormError name="reveal_strategy" />
      {strategy === 'DELAYED' && (
        <>
          <FormField
            name="preview_metadata.title"
            label="Title until then"
            hint="If you leave this empty, the collection’s name is used."
            optional
          >
            <Input
              name="preview_metadata.title"
              defaultValue={textOf(preview.title)}
              autoComplete="off"
              maxLength={255}
              placeholder="A closed box"
            />
          </FormField>
          <FormField name="preview_metadata.description" label="Description until then" optional>
            <Textarea name="preview_metadata.description" defaultValue={textOf(preview.description)} />
          </FormField>
          <UploadField
            name="preview_metadata.image_url"
            label="Picture until then"
            defaultValue={textOf(preview.image_url)}
            optional
          />
          {Object.entries(preview)
            .filter(([name]) => !SHOWN.includes(name) && !/[.:]/.test(name))
            .map(([name, value]) => (
              <input key={name} type="hidden" name={`preview_metadata.${name}:json`} value={JSON.stringify(value)} />
            ))}
        </>
      )}
    </Section>
  )
}
