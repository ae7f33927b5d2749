'use client'

import type { ReactNode } from 'react'
import { useTranslations } from 'next-intl'
import type { updateCollection } from '@/lib/platform/api/collections'
import type { Output } from '@/lib/platform/api/endpoint'
import type { FormAction, Opened } from '@/lib/platform/api/form-action'
import { AddressInput } from '@/components/ui/address-input'
import { LinkButton } from '@/components/ui/link-button'
import { Input } from '@/components/ui/input'
import { Select } from '@/components/ui/select'
import { Textarea } from '@/components/ui/textarea'
import { ActionForm, FormError, FormField, Submit } from '../forms/action-form'
import { Flag, Section } from '../forms/section'
import { UploadField } from '../forms/upload-field'

type Props = {
  action: FormAction
  itemTypes: { id: string; name: string }[]
  /** Given for editing. */
  collection?: Output<typeof updateCollection>
  opened?: Opened
  submit: string
  cancel: string
  /** More fields, above the rules. */
  children?: ReactNode
}

/** A collection's own details. Deploying it is a separate step. */
export function CollectionForm({ action, itemTypes, collection, opened, submit, cancel, children }: Props) {
  const t = useTranslations('dashboard.collections')
  return (
    <ActionForm action={action} opened={opened} draft="collection" className="max-w-2xl gap-6">
      <FormField name="name" label={t('columns.name')} hint={t('form.nameHint')} required>
        <Input
          name="name"
          defaultValue={collection?.name}
          autoComplete="off"
          maxLength={255}
          placeholder={t('form.nameExample')}
        />
      </FormField>
      <FormField name="description" label={t('form.description')} optional>
        <Textarea name="description:long" defaultValue={collection?.description ?? ''} />
      </FormField>
      <Section title={t('form.pictures')} description={t('form.picturesLead')}>
        <UploadField
          name="image_url:null"
          label={t('form.image')}
          hint={t('form.imageHint')}
          defaultValue={collection?.image_url}
          optional
        />
        <UploadField
          name="media.header_image_url:null"
          label={t('form.header')}
          hint={t('form.headerHint')}
          defaultValue={collection?.media?.header_image_url}
          shape="wide"
          optional
        />
        <UploadField
          name="media.thumbnail_image_url:null"
          label={t('form.thumbnail')}
          hint={t('form.thumbnailHint')}
          defaultValue={collection?.media?.thumbnail_image_url}
          optional
        />
      </Section>
      <div className="grid gap-6 sm:grid-cols-2">
        <FormField name="external_link" label={t('form.webPage')} hint={t('form.webPageHint')} optional>
          <Input
            name="external_link:null"
            type="url"
            inputMode="url"
            defaultValue={collection?.external_link ?? ''}
            placeholder="https://…"
          />
        </FormField>
      </div>
      {itemTypes.length > 0 && (
        <FormField name="default_item_type_id" label={t('form.itemType')} hint={t('form.itemTypeHint')}>
          <Select name="default_item_type_id" defaultValue={collection?.default_item_type_id ?? 'default'}>
            <option value="default">{t('form.defaultType')}</option>
            {itemTypes.map(({ id, name }) => (
              <option key={id} value={id}>
                {name}
              </option>
            ))}
          </Select>
        </FormField>
      )}
      <Section title={t('form.royalty')} description={t('form.royaltyLead')}>
        <div className="grid gap-6 sm:grid-cols-[minmax(0,1fr)_11rem]">
          <FormField name="royalty_info.receiver" label={t('form.receiver')} hint={t('form.receiverHint')} optional>
            <AddressInput name="royalty_info.receiver" defaultValue={collection?.royalty_info?.receiver} />
          </FormField>
          <FormField
            name="royalty_info.amount_bps"
            label={t('form.basisPoints')}
            hint={t('form.basisPointsHint')}
            optional
          >
            <Input
              name="royalty_info.amount_bps:number"
              inputMode="numeric"
              defaultValue={collection?.royalty_info?.amount_bps}
              placeholder="250"
            />
          </FormField>
        </div>
        <FormError name="royalty_info" />
      </Section>
      <div className="contents">{children}</div>
      <Section title={t('form.rules')}>
        <Flag
          name="is_public"
          checked={collection?.is_public ?? true}
          label={t('form.public')}
          hint={t('form.publicHint')}
        />
        <Flag
          name="editable_metadata"
          checked={collection?.editable_metadata ?? false}
          label={t('form.editable')}
          hint={t('form.editableHint')}
        />
      </Section>
      <div className="flex flex-wrap gap-2">
        <Submit>{submit}</Submit>
        <LinkButton href={cancel} variant="quiet">
          {t('cancel')}
        </LinkButton>
      </div>
    </ActionForm>
  )
}
