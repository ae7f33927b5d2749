'use client'

import { useState } from 'react'
import { useTranslations } from 'next-intl'
import type { FormAction } from '@/lib/platform/api/form-action'
import { AddressInput } from '@/components/ui/address-input'
import { LinkButton } from '@/components/ui/link-button'
import { Sentence } from '@/components/ui/sentence'
import { Input } from '@/components/ui/input'
import { ActionForm, FormError, FormField, Submit } from '../forms/action-form'
import { useQuestion } from '../forms/use-question'

type Props = {
  action: FormAction
  items: readonly { id: string; title?: string }[]
  /** An item can have several units. */
  editions: boolean
  cancel: string
}

/** Mints one or several items to an address. */
export function MintForm({ action, items, editions, cancel }: Props) {
  const t = useTranslations('dashboard.items')
  const { ask, dialogOf } = useQuestion()
  const [to, setTo] = useState('')

  /** Without an address the form is refused anyway. */
  async function askFirst(data: FormData): Promise<boolean> {
    const address = String(data.get('to_address')).trim()
    setTo(address)
    return address === '' || ask()
  }

  return (
    <>
      <ActionForm action={action} ask={askFirst} className="max-w-2xl gap-6">
        {items.map(({ id }) => (
          <input key={id} type="hidden" name="item_ids:list" value={id} />
        ))}
        {items.length > 1 && (
          <ul aria-label={t('mintForm.items')} className="flex flex-wrap gap-2 text-sm">
            {items.map(({ id, title }) => (
              <li key={id} className="rounded-md bg-well px-3 py-1.5 wrap-anywhere">
                {title}
              </li>
            ))}
          </ul>
        )}
        <FormField name="to_address" label={t('mintForm.to')} hint={t('mintForm.toHint')} required>
          <AddressInput name="to_address" />
        </FormField>
        {editions && (
          <FormField
            name="quantity"
            label={items.length > 1 ? t('lock.unitsOfEach') : t('mintForm.units')}
            className="max-w-40"
          >
            <Input name="quantity" inputMode="numeric" defaultValue="1" />
          </FormField>
        )}
        <FormError name="item_ids" />
        <div className="flex flex-wrap gap-2">
          <Submit size="lg">{items.length > 1 ? t('mintForm.many') : t('mintForm.one')}</Submit>
          <LinkButton href={cancel} variant="quiet" size="lg">
            {t('mintForm.cancel')}
          </LinkButton>
        </div>
      </ActionForm>
      {dialogOf({
        title: t('mintForm.ask', { count: items.length }),
        description: (
          <Sentence>
            {t.rich('mintForm.askText', { to: () => <span className="figures break-all">{to}</span> })}
          </Sentence>
        ),
        confirm: items.length > 1 ? t('mintForm.many') : t('mintForm.one'),
        tone: 'primary',
      })}
    </>
  )
}
