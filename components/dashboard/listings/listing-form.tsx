'use client'

import { useState } from 'react'
import { useFormatter, useTranslations } from 'next-intl'
import type { FormAction } from '@/lib/platform/api/form-action'
import { LinkButton } from '@/components/ui/link-button'
import { Choices, Radio } from '@/components/ui/checkbox'
import { Input } from '@/components/ui/input'
import type { PictureItem } from '@/components/ui/item-title'
import { CURRENCIES } from '@/lib/core/money'
import type { CampaignChoice } from '../campaigns/campaign-select'
import { ActionForm, FormError, FormField, Submit } from '../forms/action-form'
import { Findings } from './findings'
import type { Finding } from './findings'
import type { Kind } from './kinds'
import { KindFields, PriceFields } from './listing-kind-fields'
import type { TokenChoice } from './listing-kind-fields'
import { PolicyFields } from './listing-policy-fields'
import { ListingPreview } from './listing-preview'
import type { Typed } from './listing-preview'
import { ListingTerms } from './listing-terms'

export type Subject = {
  kind: 'item' | 'collection'
  id: string
  title: string
  collectionName: string
  description: string | null
  picture: PictureItem
  tokenType: 'ERC721' | 'ERC1155'
  /** Units that can be listed; for a collection, including those that are held for others. null: no limit. */
  left: number | null
}

type Props = {
  action: FormAction
  subject: Subject
  tokens: TokenChoice[]
  snapshots: { id: string; name: string }[]
  campaigns: CampaignChoice[]
  /** The problems that a listing of each kind would have. */
  findings: Record<Kind, Finding[]>
  /** The kind chosen at first. */
  first: Kind
}

const CARD_CURRENCIES = Object.entries(CURRENCIES).map(([code, { decimals }]) => ({
  symbol: code,
  name: code,
  decimals,
}))

/** The form of a new listing: its buyers, price, quantity and times. Beside it is a preview of what buyers will see. */
export function ListingForm({ action, subject, tokens, snapshots, campaigns, findings, first }: Props) {
  const t = useTranslations('dashboard.listings')
  const format = useFormatter()
  const [kind, setKind] = useState<Kind>(first)
  const [typed, setTyped] = useState<Typed>({
    price: '',
    currency: '',
    quantity: String(subject.left ?? 10),
    start: '',
    end: '',
  })
  const leftHint =
    subject.left === null
      ? t('form.leftHint.any')
      : t(`form.leftHint.${subject.kind}`, { count: format.number(subject.left) })
  const unique = subject.kind === 'item' && subject.tokenType === 'ERC721'
  // A voucher mints one token of an ERC-721 collection.
  const severalAtOnce = !unique && !(kind === 'crypto' && subject.tokenType === 'ERC721')
  const currencies = kind === 'crypto' ? tokens : CARD_CURRENCIES
  const currency = currencies.find(({ symbol }) => symbol === typed.currency) ?? currencies[0]!

  function onInput(form: HTMLFormElement) {
    const data = new FormData(form)
    const text = (name: string) => String(data.get(name) ?? '')
    setTyped({
      price: text('price'),
      currency: text('currency'),
      quantity: text('quantity_listed'),
      start: text('start_time:moment'),
      end: text('end_time:moment'),
    })
  }

  return (
    <div className="grid items-start gap-8 lg:grid-cols-[minmax(0,1fr)_18rem]">
      <ActionForm action={action} onInput={onInput} draft={subject.id} className="gap-6">
        <input type="hidden" name={subject.kind === 'item' ? 'item_id' : 'collection_id'} value={subject.id} />
        <KindFields kind={kind} onKind={setKind} />
        <div aria-live="polite" className={findings[kind].length === 0 ? 'sr-only' : undefined}>
          <Findings findings={findings[kind]} />
        </div>
        <PriceFields
          kind={kind}
          freeCurrency={tokens[0]?.symbol ?? 'USD'}
          currency={currency}
          currencies={currencies}
          onCurrency={(symbol) => setTyped({ ...typed, currency: symbol })}
        />
        {unique ? (
          <input type="hidden" name="quantity_listed" value="1" />
        ) : (
          <FormField name="quantity_listed" label={t('form.quantity')} hint={leftHint} required className="max-w-xs">
            <Input name="quantity_listed" inputMode="numeric" defaultValue={subject.left ?? 10} />
          </FormField>
        )}
        <FormError name="item_id" />
        <FormError name="collection_id" />
        {unique && <FormError name="quantity_listed" />}
        {!severalAtOnce && <FormError name="max_quantity_per_tx" />}
        <PolicyFields snapshots={snapshots} />
        <ListingTerms
          isFree={kind === 'free'}
          severalAtOnce={severalAtOnce}
          severalInAll={!unique}
          campaigns={campaigns}
          onMoment={(which, iso) => setTyped((before) => ({ ...before, [which]: iso }))}
        >
          {subject.kind === 'collection' && (
            <Choices legend={t('form.whichOne')}>
              <Radio
                name="policy.item_assignment_strategy"
                value="AUTOMATIC"
                defaultChecked
                label={t('form.next')}
                hint={t('form.nextHint')}
              />
              <Radio
                name="policy.item_assignment_strategy"
                value="RANDOM"
                label={t('form.surprise')}
                hint={t('form.surpriseHint')}
              />
            </Choices>
          )}
        </ListingTerms>
        <div className="flex flex-wrap gap-2">
          <Submit>{t('publish.yes')}</Submit>
          <Submit variant="secondary" name="status" value="DRAFT">
            {t('form.draft')}
          </Submit>
          <LinkButton href="/dashboard/listings" variant="quiet">
            {t('form.cancel')}
          </LinkButton>
        </div>
      </ActionForm>
      <ListingPreview
        subject={subject}
        kind={kind}
        currency={currency}
        typed={unique ? { ...typed, quantity: '1' } : typed}
      />
    </div>
  )
}
