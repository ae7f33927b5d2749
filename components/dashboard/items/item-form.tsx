'use client'

import type { ReactNode } from 'react'
import { useState } from 'react'
import { useTranslations } from 'next-intl'
import type { FormAction, Opened } from '@/lib/platform/api/form-action'
import { AddressInput } from '@/components/ui/address-input'
import { LinkButton } from '@/components/ui/link-button'
import { Input } from '@/components/ui/input'
import { Select } from '@/components/ui/select'
import { Textarea } from '@/components/ui/textarea'
import type { ItemImage } from '@/components/ui/item-title'
import { ItemPicture } from '@/components/ui/picture'
import { ActionForm, FormField, Submit } from '../forms/action-form'
import { Section } from '../forms/section'
import { draftPart } from '../forms/use-unsaved'
import {
  allows,
  allowsOthers,
  fieldsOf,
  fitsControl,
  OWN,
  requiredIn,
  type Schema,
  type SchemaField,
} from '../item-types/schema'
import { SchemaFields } from '../item-types/schema-form'
import { thumbOf } from '../forms/upload'
import { UploadField } from '../forms/upload-field'
import { emptyRow, type Row, TraitRows } from './trait-rows'
import { traitOf } from './traits'

type ItemDraft = {
  id: string
  attributes: Record<string, unknown>
  media: { image: ItemImage | null }
  /** The item's own royalty, without its collection's. */
  royalty_info: { receiver: string; amount_bps: number } | null
}
export type CollectionChoice = {
  id: string
  name: string
  /** null: the built-in type, which accepts any attributes. */
  itemType: { name: string; schema: Schema } | null
}

type Props = {
  action: FormAction
  collections: CollectionChoice[]
  collectionId: string
  /** Given for editing. The collection can't be changed then. */
  item?: ItemDraft
  opened?: Opened
  cancel: string
  children?: ReactNode
}

const written = (value: unknown): string =>
  typeof value === 'string' ? value : value === undefined || value === null ? '' : JSON.stringify(value)

/** Edits an item's attributes, with a live preview. */
export function ItemForm({ action, collections, collectionId, item, opened, cancel, children }: Props) {
  const t = useTranslations('dashboard.items.form')
  const given = item?.attributes ?? {}
  const royalty = item?.royalty_info && item.royalty_info.amount_bps > 0 ? item.royalty_info : null
  const [chosen, setChosen] = useState(collectionId)
  const [typed, setTyped] = useState<Record<string, string>>(
    Object.fromEntries(Object.entries(given).map(([name, value]) => [name, written(value)])),
  )
  const itemType = collections.find(({ id }) => id === chosen)?.itemType ?? null
  const schema = itemType?.schema ?? {}
  const fields = fieldsOf(schema)
  const [rows, setRows] = useState<Row[]>(() => rowsOf(given, fields))
  const required = requiredIn(schema)
  const sameImage = typed.image_url === written(given.image_url)

  function readTyped(form: HTMLFormElement) {
    const data = new FormData(form)
    const text = (name: string) => String(data.get(name) ?? '')
    const traits = rows.map(({ name, value }) => [name, value] as const)
    const controls = [...data.keys()]
      .filter((key) => key.startsWith('attributes.'))
      .map((key) => [key.slice('attributes.'.length).split(':')[0]!, text(key)] as const)
    setTyped(Object.fromEntries([...controls, ...traits].filter(([name, value]) => name && value)))
  }

  return (
    <div className="grid items-start gap-8 lg:grid-cols-[minmax(0,1fr)_18rem]">
      <ActionForm
        action={action}
        opened={opened}
        onInput={readTyped}
        draft="item"
        draftParts={{ rows: draftPart(rows, setRows) }}
        className="gap-6"
      >
        {!item && (
          <FormField name="collection_id" label={t('collection')} required>
            <Select name="collection_id" value={chosen} onChange={(event) => setChosen(event.target.value)}>
              {collections.map(({ id, name }) => (
                <option key={id} value={id}>
                  {name}
                </option>
              ))}
            </Select>
          </FormField>
        )}
        <FormField name="attributes.title" label={t('title')} required>
          <Input
            name="attributes.title"
            defaultValue={written(given.title)}
            autoComplete="off"
            maxLength={255}
            placeholder={t('titleExample')}
          />
        </FormField>
        {allows(schema, 'description') && (
          <FormField
            name="attributes.description"
            label={t('description')}
            required={required.includes('description')}
            optional={!required.includes('description')}
          >
            <Textarea name="attributes.description:long" defaultValue={written(given.description)} />
          </FormField>
        )}
        {allows(schema, 'image_url') && (
          <UploadField
            name="attributes.image_url:null"
            label={t('picture')}
            hint={t('pictureHint')}
            defaultValue={written(given.image_url)}
            required={required.includes('image_url')}
            optional={!required.includes('image_url')}
          />
        )}
        {fields.length > 0 && (
          <Section title={itemType?.name ?? t('attributes')} description={t('attributesLead')}>
            <SchemaFields key={chosen} fields={fields} given={given} />
          </Section>
        )}
        {(allowsOthers(schema) || rows.length > 0) && (
          <TraitRows title={fields.length > 0 ? t('moreAttributes') : t('attributes')} rows={rows} change={setRows} />
        )}
        <Section title={t('royalty')} description={t('royaltyLead')}>
          <div className="grid gap-6 sm:grid-cols-[minmax(0,1fr)_11rem]">
            <FormField name="royalty_info.receiver" label={t('receiver')} hint={t('receiverHint')} optional>
              <AddressInput name="royalty_info.receiver" defaultValue={royalty?.receiver} />
            </FormField>
            <FormField name="royalty_info.amount_bps" label={t('basisPoints')} hint={t('basisPointsHint')} optional>
              <Input name="royalty_info.amount_bps:number" inputMode="numeric" defaultValue={royalty?.amount_bps} />
            </FormField>
          </div>
        </Section>
        <div className="contents">{children}</div>
        <div className="flex flex-wrap gap-2">
          <Submit>{item ? t('save') : t('create')}</Submit>
          {!item && (
            <Submit variant="secondary" name="another" value="yes">
              {t('createAnother')}
            </Submit>
          )}
          <LinkButton href={cancel} variant="quiet">
            {t('cancel')}
          </LinkButton>
        </div>
      </ActionForm>
      <aside aria-label={t('preview')} className="grid gap-3 lg:sticky lg:top-8">
        <p className="label-caps text-muted">{t('preview')}</p>
        <figure className="overflow-hidden rounded-lg border bg-pane shadow-lift">
          <ItemPicture
            item={{
              title: typed.title || t('untitled'),
              attributes: typed,
              media: sameImage && item ? item.media : { image: uploadedIn(typed.image_url) },
            }}
            className="w-full"
          />
          <figcaption className="grid gap-1 p-5">
            <span className="text-lg font-medium wrap-anywhere">{typed.title || t('untitled')}</span>
            {typed.description && (
              <span className="line-clamp-4 text-sm wrap-anywhere whitespace-pre-line text-muted">
                {typed.description}
              </span>
            )}
          </figcaption>
        </figure>
        {typed.image_url && !uploadedIn(typed.image_url) && !(sameImage && item?.media.image?.cid) && (
          <p className="text-sm text-muted">{t('replaced')}</p>
        )}
      </aside>
    </div>
  )
}

/** The image of an uploaded file; null for an external address, which is fetched later. */
function uploadedIn(address: string | undefined): ItemImage | null {
  const thumb = thumbOf(address ?? '')
  return thumb === null ? null : { cid: thumb, full: thumb.replace('-thumb.', '-full.') }
}

const isOwn = (name: string): boolean => (OWN as readonly string[]).includes(name)

/** Attributes without a control: those that the type doesn't name, or whose name a form control can't have. */
function rowsOf(attributes: Record<string, unknown>, fields: SchemaField[]): Row[] {
  const controls = new Set(fields.map(({ name }) => name).filter(fitsControl))
  const present = Object.entries(attributes).filter(([name]) => !isOwn(name) && !controls.has(name))
  const missing = fields.filter(({ name }) => !fitsControl(name) && !Object.hasOwn(attributes, name))
  return [
    ...present.map(([name, value], key) => ({ ...traitOf(name, value), key, was: name })),
    ...missing.map(({ name }, at) => ({ ...emptyRow(present.length + at), name })),
  ]
}
