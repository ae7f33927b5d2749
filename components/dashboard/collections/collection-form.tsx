'use client'

import type { ReactNode } from 'react'
import type { FormAction } from '@/lib/platform/api/form-action'
import { LinkButton } from '@/components/ui/button'
import { Input } from '@/components/ui/input'
import { Select } from '@/components/ui/select'
import { Textarea } from '@/components/ui/textarea'
import { ActionForm, FormError, FormField, Submit } from '../forms/action-form'
import { Flag, Section } from '../forms/section'
import { UploadField } from '../forms/upload-field'

type CollectionDraft = {
  name: string
  description: string | null
  external_link: string | null
  image_url: string | null
  media: { header_image_url: string | null; thumbnail_image_url: string | null } | null
  is_public: boolean
  editable_metadata: boolean
  default_item_type_id: string
  royalty_info: { receiver: string; amount_bps: number } | null
}

type Props = {
  action: FormAction
  itemTypes: { id: string; name: string }[]
  /** Given for editing. */
  collection?: CollectionDraft
  submit: string
  cancel: string
  /** More fields, above the rules. */
  children?: ReactNode
}

/** A collection's own details. Deploying it is a separate step. */
export function CollectionForm({ action, itemTypes, collection, submit, cancel, children }: Props) {
  return (
    <ActionForm action={action} draft="collection" className="max-w-2xl gap-6">
      <FormField
        name="name"
        label="Name"
        hint="Unique among your collections. It becomes the contract’s name, too."
        required
      >
        <Input
          name="name"
          defaultValue={collection?.name}
          autoComplete="off"
          maxLength={255}
          placeholder="Night garden"
        />
      </FormField>
      <FormField name="description" label="Description" optional>
        <Textarea name="description:null" defaultValue={collection?.description ?? ''} />
      </FormField>
      <Section title="Pictures" description="What marketplaces show of it.">
        <UploadField
          name="image_url:null"
          label="Image"
          hint="Shown everywhere: square is best."
          defaultValue={collection?.image_url}
          optional
        />
        <UploadField
          name="media.header_image_url:null"
          label="Header"
          hint="Wide, across the top of its page."
          defaultValue={collection?.media?.header_image_url}
          shape="wide"
          optional
        />
        <UploadField
          name="media.thumbnail_image_url:null"
          label="Thumbnail"
          hint="For lists, where it differs from the image."
          defaultValue={collection?.media?.thumbnail_image_url}
          optional
        />
      </Section>
      <div className="grid gap-6 sm:grid-cols-2">
        <FormField name="external_link" label="Web page" hint="A page where people can read more." optional>
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
        <FormField
          name="default_item_type_id"
          label="Item type"
          hint="Defines the attributes of its items, unless an item has its own type."
        >
          <Select name="default_item_type_id" defaultValue={collection?.default_item_type_id ?? 'default'}>
            <option value="default">Default: title, description, image and whatever you add</option>
            {itemTypes.map(({ id, name }) => (
              <option key={id} value={id}>
                {name}
              </option>
            ))}
          </Select>
        </FormField>
      )}
      <Section title="Royalty" description="What marketplaces are asked to pay you when an item is sold on.">
        <div className="grid gap-6 sm:grid-cols-[minmax(0,1fr)_11rem]">
          <FormField name="royalty_info.receiver" label="Receiver" hint="An address." optional>
            <Input
              name="royalty_info.receiver"
              defaultValue={collection?.royalty_info?.receiver}
              placeholder="0x…"
              spellCheck={false}
              autoComplete="off"
              className="figures"
            />
          </FormField>
          <FormField name="royalty_info.amount_bps" label="Basis points" hint="250 is 2.5 %." optional>
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
      {children}
      <Section title="Rules">
        <Flag
          name="is_public"
          checked={collection?.is_public ?? true}
          label="Public"
          hint="It and its items have public pages, and anyone can find it through the API. A private one works the same, unlisted."
        />
        <Flag
          name="editable_metadata"
          checked={collection?.editable_metadata ?? false}
          label="Attributes may change after minting"
          hint="Collectors prefer this off, so that what they own never changes."
        />
      </Section>
      <div className="flex flex-wrap gap-2">
        <Submit>{submit}</Submit>
        <LinkButton href={cancel} variant="quiet">
          Cancel
        </LinkButton>
      </div>
    </ActionForm>
  )
}
