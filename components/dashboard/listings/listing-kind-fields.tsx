import { Checkbox, Choices } from '@/components/ui/checkbox'
import { RadioChoices } from '@/components/ui/radio-choices'
import { Input } from '@/components/ui/input'
import { Select } from '@/components/ui/select'
import { FormError, FormField } from '../forms/action-form'
import { KIND_NAMES, KINDS } from './kinds'
import type { Kind } from './kinds'
import { priceFormat } from './price'

export type TokenChoice = { symbol: string; name: string; decimals: number }

/** The kind of sale, and the payment providers it goes by. */
export function KindFields({ kind, onKind }: { kind: Kind; onKind: (kind: Kind) => void }) {
  return (
    <>
      <RadioChoices
        legend="How do people get it?"
        name="kind"
        value={kind}
        onChange={onKind}
        options={KIND_NAMES.map((value) => ({ value, label: KINDS[value].label, hint: KINDS[value].hint }))}
      />
      {kind === 'free' ? (
        <Choices legend="How does it reach them?">
          <input type="hidden" name="payment_providers:list" value="" />
          <Checkbox
            name="payment_providers:list"
            value={KINDS.free.providers[0]}
            defaultChecked
            label="By email"
            hint="They need no wallet: a link and a PIN are enough."
          />
          <Checkbox
            name="payment_providers:list"
            value={KINDS.free.providers[1]}
            label="To an address"
            hint="The address of a wallet they already have."
          />
        </Choices>
      ) : (
        <input type="hidden" name="payment_providers:list" value={KINDS[kind].providers[0]} />
      )}
      <FormError name="payment_providers" />
    </>
  )
}

type PriceFieldsProps = {
  kind: Kind
  /** What a free listing, which needs a currency too, is written in. */
  freeCurrency: string
  currency: TokenChoice
  currencies: readonly TokenChoice[]
  onCurrency: (symbol: string) => void
}

export function PriceFields({ kind, freeCurrency, currency, currencies, onCurrency }: PriceFieldsProps) {
  if (kind === 'free')
    return (
      <>
        <input type="hidden" name="price" value="0" />
        <input type="hidden" name="currency" value={freeCurrency} />
        <FormError name="price" />
      </>
    )
  return (
    <div className="grid gap-6 sm:grid-cols-[minmax(0,1fr)_11rem]">
      <FormField name="price" label="Price of one" hint={priceFormat(currency.decimals, currency.symbol)} required>
        <Input
          name="price"
          inputMode="decimal"
          autoComplete="off"
          placeholder={currency.decimals === 0 ? '1200' : '12.50'}
        />
      </FormField>
      <FormField name="currency" label="Currency" className="content-end" required>
        <Select
          key={kind}
          name="currency"
          defaultValue={currencies[0]?.symbol}
          onChange={(event) => onCurrency(event.target.value)}
        >
          {currencies.map(({ symbol, name }) => (
            <option key={symbol} value={symbol}>
              {symbol === name ? symbol : `${symbol} (${name})`}
            </option>
          ))}
        </Select>
      </FormField>
    </div>
  )
}

/** How long units are held for a buyer who hasn't paid, or a recipient who hasn't redeemed. */
export function HoldFor({ kind }: { kind: Kind }) {
  if (kind === 'free')
    return (
      <FormField name="policy.email_claim_duration" label="A link by email works for" className="max-w-xs">
        <Select name="policy.email_claim_duration:number" defaultValue="">
          <option value="">30 days</option>
          <option value="86400">A day</option>
          <option value="604800">7 days</option>
          <option value="7776000">90 days</option>
        </Select>
      </FormField>
    )
  return (
    <FormField
      name="policy.payment_session_duration.timeout_seconds"
      label="An unpaid purchase is kept for"
      hint="Then its units go back on sale."
      className="max-w-xs"
    >
      <Select name="policy.payment_session_duration.timeout_seconds:number" defaultValue="">
        <option value="">30 minutes</option>
        <option value="300">5 minutes</option>
        <option value="600">10 minutes</option>
        <option value="3600">An hour</option>
        <option value="86400">A day</option>
      </Select>
    </FormField>
  )
}
