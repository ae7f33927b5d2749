import { useTranslations } from 'next-intl'
import { Checkbox, Choices } from '@/components/ui/checkbox'
import { RadioChoices } from '@/components/ui/radio-choices'
import { Input } from '@/components/ui/input'
import { Select } from '@/components/ui/select'
import { FormError, FormField } from '../forms/action-form'
import { KIND_NAMES, PROVIDERS } from './kinds'
import type { Kind } from './kinds'
import { priceFormat } from './price'

export type TokenChoice = { symbol: string; name: string; decimals: number }

/** The kind of sale, and the payment providers it goes by. */
export function KindFields({ kind, onKind }: { kind: Kind; onKind: (kind: Kind) => void }) {
  const t = useTranslations('dashboard.listings')
  return (
    <>
      <RadioChoices
        legend={t('kinds.legend')}
        name="kind"
        value={kind}
        onChange={onKind}
        options={KIND_NAMES.map((value) => ({
          value,
          label: t(`kinds.${value}.label`),
          hint: t(`kinds.${value}.hint`),
        }))}
      />
      {kind === 'free' ? (
        <Choices legend={t('reach.legend')}>
          <input type="hidden" name="payment_providers:list" value="" />
          <Checkbox
            name="payment_providers:list"
            value={PROVIDERS.free[0]}
            defaultChecked
            label={t('reach.email')}
            hint={t('reach.emailHint')}
          />
          <Checkbox
            name="payment_providers:list"
            value={PROVIDERS.free[1]}
            label={t('reach.address')}
            hint={t('reach.addressHint')}
          />
        </Choices>
      ) : (
        <input type="hidden" name="payment_providers:list" value={PROVIDERS[kind][0]} />
      )}
      <FormError name="payment_providers" />
    </>
  )
}

type PriceFieldsProps = {
  kind: Kind
  /** The currency of a free listing, which needs one too. */
  freeCurrency: string
  currency: TokenChoice
  currencies: readonly TokenChoice[]
  onCurrency: (symbol: string) => void
}

export function PriceFields({ kind, freeCurrency, currency, currencies, onCurrency }: PriceFieldsProps) {
  const t = useTranslations('dashboard.listings')
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
      <FormField
        name="price"
        label={t('price.label')}
        hint={priceFormat(t, currency.decimals, currency.symbol)}
        required
      >
        <Input
          name="price"
          inputMode="decimal"
          autoComplete="off"
          placeholder={currency.decimals === 0 ? '1200' : t('price.example')}
        />
      </FormField>
      <FormField name="currency" label={t('price.currency')} className="content-end" required>
        <Select
          key={kind}
          name="currency"
          defaultValue={currencies[0]?.symbol}
          onChange={(event) => onCurrency(event.target.value)}
        >
          {currencies.map(({ symbol, name }) => (
            <option key={symbol} value={symbol}>
              {symbol === name ? symbol : t('price.named', { symbol, name })}
            </option>
          ))}
        </Select>
      </FormField>
    </div>
  )
}
