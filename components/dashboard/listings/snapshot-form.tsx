'use client'

import { useState } from 'react'
import { useTranslations } from 'next-intl'
import type { FormAction } from '@/lib/platform/api/form-action'
import { LinkButton } from '@/components/ui/link-button'
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
  const t = useTranslations('dashboard.snapshots')
  const [when, setWhen] = useState<'now' | 'time' | 'block'>('now')
  return (
    <ActionForm action={action} className="max-w-2xl gap-6">
      <FormField name="name" label={t('columns.name')} hint={t('form.nameHint')} required>
        <Input name="name" autoComplete="off" placeholder={t('form.nameExample')} />
      </FormField>
      <FormField name="collection_id" label={t('columns.collection')} required>
        <Select name="collection_id" defaultValue={collectionId}>
          {collections.map(({ id, name }) => (
            <option key={id} value={id}>
              {name}
            </option>
          ))}
        </Select>
      </FormField>
      <RadioChoices
        legend={t('form.when')}
        name="when"
        value={when}
        onChange={setWhen}
        options={[
          { value: 'now', label: t('form.now'), hint: t('form.nowHint') },
          { value: 'time', label: t('form.atTime'), hint: t('form.atTimeHint') },
          { value: 'block', label: t('form.atBlock') },
        ]}
      />
      {when === 'time' && <MomentField name="timestamp" label={t('form.time')} />}
      {when === 'block' && (
        <FormField name="block_number" label={t('form.blockNumber')} className="max-w-xs" required>
          <Input name="block_number" inputMode="numeric" autoComplete="off" className="figures" />
        </FormField>
      )}
      {when !== 'block' && <FormError name="block_number" />}
      <div className="flex flex-wrap gap-2">
        <Submit>{t('form.take')}</Submit>
        <LinkButton href={cancel} variant="quiet">
          {t('form.cancel')}
        </LinkButton>
      </div>
    </ActionForm>
  )
}
