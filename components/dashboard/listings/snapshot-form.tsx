'use client'

import { useState } from 'react'
import type { FormAction } from '@/lib/platform/api/form-action'
import { LinkButton } from '@/components/ui/button'
import { RadioChoices } from '@/components/ui/radio-choices'
import { Input } from '@/components/ui/input'
import { Select } from '@/components/ui/select'
import { ActionForm, FormError, FormField, Submit } from '../forms/action-form'
import { MomentField } from '../forms/moment-field'

/** Takes a snapshot of a collection's holders at a moment or block. */
export function SnapshotForm({
  action,
  collections,
  collectionId,
  cancel,
}: {
  action: FormAction
  collections: { id: string; name: string }[]
  collectionId: string
  cancel: string
}) {
  const [when, setWhen] = useState<'now' | 'time' | 'block'>('now')
  return (
    <ActionForm action={action} className="max-w-2xl gap-6">
      <FormField name="name" label="Name" hint="Helps you find it again." required>
        <Input name="name" autoComplete="off" placeholder="Before the second drop" />
      </FormField>
      <FormField name="collection_id" label="Collection" required>
        <Select name="collection_id" defaultValue={collectionId}>
          {collections.map(({ id, name }) => (
            <option key={id} value={id}>
              {name}
            </option>
          ))}
        </Select>
      </FormField>
      <RadioChoices
        legend="At which moment?"
        name="when"
        value={when}
        onChange={setWhen}
        options={[
          { value: 'now', label: 'Now', hint: 'Ready as soon as the network has confirmed this moment.' },
          { value: 'time', label: 'At a time', hint: 'In the past or the future. The last block before it counts.' },
          { value: 'block', label: 'At a block' },
        ]}
      />
      {when === 'time' && <MomentField name="timestamp" label="Time" />}
      {when === 'block' && (
        <FormField name="block_number" label="Block number" className="max-w-xs" required>
          <Input name="block_number" inputMode="numeric" autoComplete="off" className="figures" />
        </FormField>
      )}
      {when !== 'block' && <FormError name="block_number" />}
      <div className="flex flex-wrap gap-2">
        <Submit>Take it</Submit>
        <LinkButton href={cancel} variant="quiet">
          Cancel
        </LinkButton>
      </div>
    </ActionForm>
  )
}
