'use client'

import { useId, useState } from 'react'
import type { ReactElement, ReactNode, SubmitEvent } from 'react'
import { Wallet } from 'lucide-react'
import { useLocale, useTranslations } from 'next-intl'
import type { Address } from 'viem'
import { Button } from '@/components/ui/button'
import { Checkbox } from '@/components/ui/checkbox'
import { RadioChoices } from '@/components/ui/radio-choices'
import { Field } from '@/components/ui/field'
import { Input } from '@/components/ui/input'
import { Select } from '@/components/ui/select'
import { isEmailAddress } from '@/lib/core/email-address'
import { later } from '@/components/shared/later'
import type { NetworkFacts } from '@/components/shared/network'
import { amountOf } from '@/lib/core/money'
import { waysOf } from './listing'
import type { ListingView, Way } from './listing'
import { OneMoment } from './one-moment'
import type { OrderChoice } from './purchase'
import type { WhichAddressProps } from './which-address'

const WhichAddress = later(() => import('./which-address').then((module) => module.WhichAddress), OneMoment)

/** Asks for the buyer's address. What wallets need is loaded once one is wanted. */
function AskAddress(props: Omit<WhichAddressProps, 'begin'>) {
  const t = useTranslations('checkout.address')
  const [begin, setBegin] = useState<WhichAddressProps['begin'] | null>(null)
  if (begin || props.chosen) return <WhichAddress {...props} begin={begin ?? 'connect'} />
  return (
    <div className="grid gap-4">
      <Button
        variant="primary"
        size="lg"
        icon={<Wallet aria-hidden="true" className="size-5" />}
        onClick={() => setBegin('connect')}
      >
        {t('choose')}
      </Button>
      {props.ways === 'both' && (
        <Button variant="quiet" onClick={() => setBegin('paste')}>
          {t('paste')}
        </Button>
      )}
    </div>
  )
}

export type Busy = 'sending' | 'proving' | null

export type BuyFormProps = {
  listing: ListingView
  network: NetworkFacts
  busy: Busy
  onBuy: (choice: OrderChoice) => Promise<void>
  /** The order of so many units, shown before the last button. */
  summary: (quantity: number) => ReactElement
}

/** Method, quantity and recipient of a purchase. */
export function BuyForm({ listing, network, busy, onBuy, summary }: BuyFormProps) {
  const t = useTranslations('checkout')
  const locale = useLocale()
  const ways = waysOf(listing)
  const [chosen, setWay] = useState<Way | null>(null)
  const [wanted, setQuantity] = useState(1)
  const way = chosen && ways.has(chosen) ? chosen : [...ways.keys()][0]
  const most = Math.min(Number(listing.max_quantity_per_tx), Number(listing.quantity_remaining))
  const quantity = Math.max(1, Math.min(wanted, most))
  const provider = way && ways.get(way)
  if (!way || !provider) return null

  const total = amountOf(
    BigInt(listing.price) * BigInt(quantity),
    listing.currency,
    listing.price_currency_decimals,
    locale,
  )
  const buy = (email: string | null, address: string | null) =>
    onBuy({ provider, quantity, buyer: { email, eth_address: address } })

  return (
    <div className="grid gap-6">
      {ways.size > 1 && (
        <RadioChoices
          legend={t('way.legend')}
          name="way"
          value={way}
          onChange={setWay}
          options={[...ways.keys()].map((value) => ({
            value,
            label: t(`way.${value}.label`),
            hint: t(`way.${value}.hint`),
          }))}
        />
      )}
      {most > 1 && (
        <Field label={t('quantity')} className="max-w-32">
          <Quantity most={most} value={quantity} onChange={setQuantity} />
        </Field>
      )}
      {summary(quantity)}
      <ByWay key={way} way={way} total={total} network={network} busy={busy} onBuy={buy} />
      <p aria-live="polite" className="text-sm text-muted">
        {busy === 'proving' && t('proving')}
      </p>
    </div>
  )
}

const MAX_OPTIONS = 10

function Quantity({ most, value, onChange }: { most: number; value: number; onChange: (quantity: number) => void }) {
  if (most <= MAX_OPTIONS)
    return (
      <Select value={value} onChange={(event) => onChange(Number(event.target.value))}>
        {Array.from({ length: most }, (_, at) => (
          <option key={at} value={at + 1}>
            {at + 1}
          </option>
        ))}
      </Select>
    )
  return (
    <Input
      inputMode="numeric"
      autoComplete="off"
      value={value}
      onChange={(event) => onChange(Math.min(Math.max(Math.floor(Number(event.target.value)) || 1, 1), most))}
    />
  )
}

type ByWayProps = {
  way: Way
  total: string
  network: NetworkFacts
  busy: Busy
  onBuy: (email: string | null, address: string | null) => Promise<void>
}

function ByWay({ way, total, network, busy, onBuy }: ByWayProps) {
  const t = useTranslations('checkout')
  switch (way) {
    case 'card':
      return <CardBuyer total={total} network={network} busy={busy} onBuy={onBuy} />
    case 'email':
      return <EmailForm action={t('email.send')} busy={busy !== null} onEmail={(email) => onBuy(email, null)} />
    case 'wallet':
      return (
        <AskAddress
          network={network}
          ways="connect"
          action={t('continue', { total })}
          busy={busy !== null}
          onAddress={(address) => onBuy(null, address)}
        />
      )
    case 'address':
      return (
        <AskAddress
          network={network}
          ways="both"
          action={t('address.send')}
          busy={busy !== null}
          onAddress={(address) => onBuy(null, address)}
        />
      )
  }
}

/** Card buyers give an email address: it gets the item, or only the receipt when the item goes to a wallet. */
function CardBuyer({ total, network, busy, onBuy }: Omit<ByWayProps, 'way'>) {
  const t = useTranslations('checkout')
  const [straight, setStraight] = useState(false)
  const [address, setAddress] = useState<Address | null>(null)
  return (
    <EmailForm
      action={straight && !address ? null : t('continueToPayment', { total })}
      hint={t(straight ? 'email.receipt' : 'email.both')}
      busy={busy !== null}
      onEmail={(email) => onBuy(email, straight ? address : null)}
    >
      <Checkbox
        label={t('straight.label')}
        hint={t('straight.hint')}
        checked={straight}
        onChange={(event) => {
          setStraight(event.target.checked)
          setAddress(null)
        }}
      />
      {straight && (
        <AskAddress
          network={network}
          ways="both"
          action={t(address ? 'address.useAnother' : 'address.use')}
          chosen={address}
          onAddress={setAddress}
          busy={false}
        />
      )}
    </EmailForm>
  )
}

type EmailFormProps = {
  /** The button's label; null while another step comes first. */
  action: string | null
  hint?: string
  busy: boolean
  onEmail: (email: string) => void
  /** Shown between field and button. It may contain forms, so field and button refer to this form by id. */
  children?: ReactNode
}

function EmailForm({ action, hint, busy, onEmail, children }: EmailFormProps) {
  const t = useTranslations('checkout.email')
  const id = useId()
  const [email, setEmail] = useState('')
  const [problem, setProblem] = useState<string | null>(null)

  function submit(event: SubmitEvent) {
    event.preventDefault()
    const written = email.trim()
    if (!isEmailAddress(written)) return setProblem(t(written ? 'notWhole' : 'missing'))
    onEmail(written)
  }

  return (
    <div className="grid gap-5">
      <form id={id} onSubmit={submit} noValidate className="hidden" />
      <Field label={t('label')} error={problem} required hint={hint}>
        <Input
          form={id}
          type="email"
          name="email"
          inputMode="email"
          autoComplete="email"
          autoCapitalize="off"
          spellCheck={false}
          value={email}
          onChange={(event) => {
            setEmail(event.target.value)
            setProblem(null)
          }}
        />
      </Field>
      <div className="contents">{children}</div>
      {action && (
        <Button form={id} type="submit" variant="primary" size="lg" busy={busy}>
          {action}
        </Button>
      )}
    </div>
  )
}
