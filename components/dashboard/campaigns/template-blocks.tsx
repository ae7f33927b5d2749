'use client'

import { useState } from 'react'
import { useTranslations } from 'next-intl'
import { ArrowDown, ArrowUp, Plus, Trash2 } from 'lucide-react'
import type { TemplateBlock } from '@/lib/platform/api/email-templates'
import { Button } from '@/components/ui/button'
import { Checkbox } from '@/components/ui/checkbox'
import { Field } from '@/components/ui/field'
import { Input } from '@/components/ui/input'
import { Select } from '@/components/ui/select'
import { UploadField } from '../forms/upload-field'
import { TemplateText } from './template-text'

type Blocks = readonly TemplateBlock[]
type Type = TemplateBlock['type']

type Props = {
  blocks: Blocks
  change: (next: (before: Blocks) => TemplateBlock[]) => void
  /** Variables whose value is an address: `{{claim_url}}`, and what it is. */
  links: readonly { name: string; meaning: string }[]
  /** Sentences about single blocks, by their number from 1. */
  problems: ReadonlyMap<number, readonly string[]>
}

const TYPES = ['BRAND', 'HEADING', 'TEXT', 'PICTURE', 'BUTTON', 'CODE', 'FOOTER'] as const satisfies readonly Type[]

const newBlock = (type: Type, links: Props['links']): TemplateBlock => {
  switch (type) {
    case 'HEADING':
    case 'TEXT':
      return { type, text: '' }
    case 'PICTURE':
      return { type, image_url: null, alt: '{{item_title}}' }
    case 'BUTTON':
      return { type, label: '', url: links[0] ? `{{${links[0].name}}}` : 'https://' }
    case 'CODE':
      return { type, text: '' }
    case 'BRAND':
    case 'FOOTER':
      return { type }
  }
}

/** Edits a template block by block. */
export function TemplateBlocks({ blocks, change, links, problems }: Props) {
  const t = useTranslations('dashboard.campaigns.blocks')
  const [adding, setAdding] = useState<Type>('TEXT')
  const [keys, setKeys] = useState<readonly number[]>(() => blocks.map((_, at) => at))
  // A draft that was restored has other blocks.
  if (keys.length !== blocks.length) setKeys(blocks.map((_, at) => Math.max(-1, ...keys) + 1 + at))

  const replace = (at: number) => (block: TemplateBlock) =>
    change((before) => before.map((each, index) => (index === at ? block : each)))
  function move(at: number, to: number) {
    const moved = <T,>(list: readonly T[]) => list.toSpliced(at, 1).toSpliced(to, 0, list[at]!)
    setKeys(moved)
    change(moved)
  }
  function remove(at: number) {
    setKeys(keys.toSpliced(at, 1))
    change((before) => before.toSpliced(at, 1))
  }
  function add() {
    // Above the footer, which stays last.
    const at = blocks.at(-1)?.type === 'FOOTER' && adding !== 'FOOTER' ? blocks.length - 1 : blocks.length
    setKeys(keys.toSpliced(at, 0, Math.max(-1, ...keys) + 1))
    change((before) => before.toSpliced(at, 0, newBlock(adding, links)))
  }

  return (
    <div className="grid gap-4">
      <ol className="grid gap-3">
        {blocks.map((block, at) => {
          const label = t('label', { name: t(`names.${block.type}`), number: at + 1 })
          return (
            <li key={keys[at] ?? at}>
              <div role="group" aria-label={label} className="grid gap-3 rounded-lg border bg-pane p-4">
                <div className="flex items-center justify-between gap-3">
                  <p className="font-medium">{t(`names.${block.type}`)}</p>
                  <div className="-mr-2 flex">
                    <Move label={t('up', { block: label })} disabled={at === 0} onClick={() => move(at, at - 1)}>
                      <ArrowUp aria-hidden="true" className="size-4" />
                    </Move>
                    <Move
                      label={t('down', { block: label })}
                      disabled={at === blocks.length - 1}
                      onClick={() => move(at, at + 1)}
                    >
                      <ArrowDown aria-hidden="true" className="size-4" />
                    </Move>
                    <Move
                      label={t('remove', { block: label })}
                      disabled={blocks.length === 1}
                      onClick={() => remove(at)}
                    >
                      <Trash2 aria-hidden="true" className="size-4" />
                    </Move>
                  </div>
                </div>
                {(block.type === 'BRAND' || block.type === 'FOOTER') && (
                  <p className="text-sm text-muted">{t(`hints.${block.type}`)}</p>
                )}
                <BlockFields
                  block={block}
                  id={keys[at] ?? at}
                  put={replace(at)}
                  links={links}
                  problems={problems.get(at + 1) ?? null}
                />
              </div>
            </li>
          )
        })}
      </ol>
      <div className="flex flex-wrap items-end gap-2">
        <Field label={t('new')} className="min-w-40">
          <Select value={adding} onChange={(event) => setAdding(event.target.value as Type)}>
            {TYPES.map((type) => (
              <option key={type} value={type}>
                {t(`names.${type}`)}
              </option>
            ))}
          </Select>
        </Field>
        <Button icon={<Plus aria-hidden="true" className="size-4" />} onClick={add}>
          {t('add')}
        </Button>
      </div>
    </div>
  )
}

function Move({
  label,
  disabled,
  onClick,
  children,
}: {
  label: string
  disabled: boolean
  onClick: () => void
  children: React.ReactElement
}) {
  return <Button size="sm" variant="quiet" aria-label={label} icon={children} disabled={disabled} onClick={onClick} />
}

type FieldsProps = {
  block: TemplateBlock
  id: number
  put: (block: TemplateBlock) => void
  links: Props['links']
  problems: readonly string[] | null
}

function BlockFields({ block, id, put, links, problems }: FieldsProps) {
  const t = useTranslations('dashboard.campaigns.blocks')
  const error = problems && [...problems]
  switch (block.type) {
    case 'BRAND':
    case 'FOOTER':
      return null
    case 'HEADING':
    case 'CODE':
      return (
        <Field label={t('says')} hideLabel error={error}>
          <TemplateText value={block.text} onChange={(text) => put({ ...block, text })} />
        </Field>
      )
    case 'TEXT':
      return (
        <>
          <Field label={t('says')} hideLabel error={error}>
            <TemplateText value={block.text} onChange={(text) => put({ ...block, text })} multiline />
          </Field>
          <Checkbox
            checked={block.small ?? false}
            onChange={(event) => put({ ...block, small: event.target.checked })}
            label={t('small')}
          />
        </>
      )
    case 'PICTURE':
      return (
        <>
          <Field label={t('which')}>
            <Select
              value={block.image_url === null ? 'item' : 'own'}
              onChange={(event) => put({ ...block, image_url: event.target.value === 'item' ? null : '' })}
            >
              <option value="item">{t('itemPicture')}</option>
              <option value="own">{t('ownPicture')}</option>
            </Select>
          </Field>
          {block.image_url !== null && (
            <UploadField
              name={`picture.${id}`}
              label={t('picture')}
              defaultValue={block.image_url}
              shape="wide"
              onChange={(image_url) => put({ ...block, image_url })}
            />
          )}
          <Field label={t('alt')} hint={t('altHint')} error={error}>
            <TemplateText value={block.alt} onChange={(alt) => put({ ...block, alt })} />
          </Field>
        </>
      )
    case 'BUTTON': {
      const known = links.some(({ name }) => block.url === `{{${name}}}`)
      return (
        <>
          <Field label={t('says')} error={error}>
            <TemplateText value={block.label} onChange={(label) => put({ ...block, label })} />
          </Field>
          <div className="grid items-start gap-3 sm:grid-cols-2">
            <Field label={t('leads')}>
              <Select
                value={known ? block.url : 'other'}
                onChange={(event) =>
                  put({ ...block, url: event.target.value === 'other' ? 'https://' : event.target.value })
                }
              >
                {links.map(({ name, meaning }) => (
                  <option key={name} value={`{{${name}}}`}>
                    {meaning.replace(/\..*/, '')}
                  </option>
                ))}
                <option value="other">{t('otherAddress')}</option>
              </Select>
            </Field>
            {!known && (
              <Field label={t('address')}>
                <Input
                  value={block.url}
                  inputMode="url"
                  maxLength={2_000}
                  autoComplete="off"
                  spellCheck={false}
                  onChange={(event) => put({ ...block, url: event.target.value })}
                />
              </Field>
            )}
          </div>
        </>
      )
    }
  }
}
