'use client'

import type { ReactNode } from 'react'
import { useState } from 'react'
import { Plus, Trash2 } from 'lucide-react'
import type { FormAction } from '@/lib/http/action'
import { Button, LinkButton } from '@/components/ui/button'
import { Input, Select, Textarea } from '@/components/ui/input'
import { Field } from '@/components/ui/field'
import { ItemPicture } from '@/components/ui/picture'
import type { ItemImage } from '@/components/ui/picture'
import { ActionForm, FormError, FormField, Submit } from './action-form'
import { Section } from './collection-form'

export type ItemDraft = {
  id: string
  attributes: Record<string, unknown>
  media: { image: ItemImage | null }
  /** Its own, not what it has from its collection. */
  royalty_info: { receiver: string; amount_bps: number } | null
}
export type CollectionChoice = { id: string; name: string; /** Attributes its item type speaks of. */ traits: string[] }

type Props = {
  action: FormAction
  collections: CollectionChoice[]
  collectionId: string
  /** Given when one is edited: its collection is then fixed. */
  item?: ItemDraft
  cancel: string
  children?: ReactNode
}

const OWN = ['title', 'description', 'image_url']
const written = (value: unknown): string => (typeof value === 'string' ? value : value === undefined || value === null ? '' : JSON.stringify(value))

type Row = { key: number; name: string; value: string }

/** An item's attributes, with the card it makes beside them while you type. */
export function ItemForm({ action, collections, collectionId, item, cancel, children }: Props) {
  const given = item?.attributes ?? {}
  const royalty = item?.royalty_info && item.royalty_info.amount_bps > 0 ? item.royalty_info : null
  const [chosen, setChosen] = useState(collectionId)
  const [seen, setSeen] = useState<Record<string, string>>(Object.fromEntries(Object.entries(given).map(([name, value]) => [name, written(value)])))
  const [rows, setRows] = useState<Row[]>(() => rowsOf(given, collections.find(({ id }) => id === collectionId)?.traits ?? []))
  const known = Object.keys(given).filter((name) => !OWN.includes(name))
  const sameImage = seen.image_url === written(given.image_url)

  function look(form: HTMLFormElement) {
    const data = new FormData(form)
    const text = (name: string) => String(data.get(name) ?? '')
    const traits = rows.map(({ key }) => [text(`traits.${key}.name`), text(`traits.${key}.value`)] as const)
    setSeen({
      title: text('attributes.title'),
      description: text('attributes.description:null'),
      image_url: text('attributes.image_url:null'),
      ...Object.fromEntries(traits.filter(([name]) => name)),
    })
  }

  function choose(id: string) {
    setChosen(id)
    const wanted = collections.find((collection) => collection.id === id)?.traits ?? []
    setRows((before) => [...before, ...wanted.filter((name) => !before.some((row) => row.name === name)).map((name, at) => ({ key: nextKey(before) + at, name, value: '' }))])
  }

  return (
    <div className="grid items-start gap-8 lg:grid-cols-[minmax(0,1fr)_18rem]">
      <ActionForm action={action} onInput={look} className="gap-6">
        {!item && (
          <FormField name="collection_id" label="Collection" required>
            <Select name="collection_id" value={chosen} onChange={(event) => choose(event.target.value)}>
              {collections.map(({ id, name }) => (
                <option key={id} value={id}>
                  {name}
                </option>
              ))}
            </Select>
          </FormField>
        )}
        <FormField name="attributes.title" label="Title" required>
          <Input name="attributes.title" defaultValue={written(given.title)} autoComplete="off" maxLength={255} placeholder="Moonflower" />
        </FormField>
        <FormField name="attributes.description" label="Description" optional>
          <Textarea name="attributes.description:null" defaultValue={written(given.description)} />
        </FormField>
        <FormField
          name="attributes.image_url"
          label="Picture"
          hint="An https address. We fetch it once and keep a copy of our own; without one, a picture is drawn from the title and colours."
          optional
        >
          <Input name="attributes.image_url:null" type="url" inputMode="url" defaultValue={written(given.image_url)} placeholder="https://…" />
        </FormField>
        <Section title="Attributes" description="What sets this item apart: colour, edition, birthplace. A plain number is kept as a number.">
          <input type="hidden" name="known:json" value={JSON.stringify(known)} />
          {rows.map((row, index) => (
            <div key={row.key} className="grid grid-cols-[minmax(0,1fr)_minmax(0,1fr)_auto] items-end gap-2">
              <Field label={`Name of attribute ${index + 1}`} hideLabel>
                <Input name={`traits.${row.key}.name`} defaultValue={row.name} placeholder="Colour" autoComplete="off" maxLength={100} />
              </Field>
              <Field label={`Value of attribute ${index + 1}`} hideLabel>
                <Input name={`traits.${row.key}.value`} defaultValue={row.value} placeholder="Violet" autoComplete="off" />
              </Field>
              <Button
                variant="quiet"
                aria-label={`Remove attribute ${index + 1}`}
                icon={<Trash2 aria-hidden="true" className="size-4" />}
                onClick={() => setRows((before) => before.filter(({ key }) => key !== row.key))}
                className="!px-2.5"
              />
            </div>
          ))}
          <div>
            <Button
              size="sm"
              icon={<Plus aria-hidden="true" className="size-4" />}
              onClick={() => setRows((before) => [...before, { key: nextKey(before), name: '', value: '' }])}
            >
              Add an attribute
            </Button>
          </div>
          <FormError name="attributes" />
        </Section>
        <Section title="Royalty of this item" description="Only where it differs from its collection’s.">
          <div className="grid gap-6 sm:grid-cols-[minmax(0,1fr)_11rem]">
            <FormField name="royalty_info.receiver" label="Receiver" hint="An address." optional>
              <Input
                name="royalty_info.receiver"
                defaultValue={royalty?.receiver}
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
                defaultValue={royalty?.amount_bps}
              />
            </FormField>
          </div>
        </Section>
        {children}
        <div className="flex flex-wrap gap-2">
          <Submit>{item ? 'Save' : 'Create the item'}</Submit>
          {!item && (
            <Submit variant="secondary" name="another" value="yes">
              Create and make another
            </Submit>
          )}
          <LinkButton href={cancel} variant="quiet">
            Cancel
          </LinkButton>
        </div>
      </ActionForm>
      <aside aria-label="Preview" className="grid gap-3 lg:sticky lg:top-8">
        <p className="label-caps text-muted">As it will look</p>
        <figure className="overflow-hidden rounded-lg border bg-pane shadow-lift">
          <ItemPicture item={{ title: seen.title || 'Untitled', attributes: seen, media: sameImage && item ? item.media : { image: null } }} className="w-full" />
          <figcaption className="grid gap-1 p-5">
            <span className="text-lg font-medium wrap-anywhere">{seen.title || 'Untitled'}</span>
            {seen.description && <span className="line-clamp-4 text-sm wrap-anywhere whitespace-pre-line text-muted">{seen.description}</span>}
          </figcaption>
        </figure>
        {seen.image_url && !(sameImage && item?.media.image?.cid) && (
          <p className="text-sm text-muted">Your picture takes the place of this drawing as soon as we have fetched our copy.</p>
        )}
      </aside>
    </div>
  )
}

const nextKey = (rows: Row[]): number => Math.max(-1, ...rows.map(({ key }) => key)) + 1

function rowsOf(attributes: Record<string, unknown>, traits: string[]): Row[] {
  const present = Object.entries(attributes).filter(([name]) => !OWN.includes(name))
  const wanted = traits.filter((name) => !OWN.includes(name) && !present.some(([given]) => given === name)).map((name) => [name, ''] as const)
  return [...present, ...wanted].map(([name, value], key) => ({ key, name, value: written(value) }))
}
