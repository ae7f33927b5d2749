import { useLocale, useTranslations } from 'next-intl'
import type { FormAction, Opened } from '@/lib/platform/api/form-action'
import { Badge } from '@/components/ui/badge'
import { Card } from '@/components/ui/card'
import { Input } from '@/components/ui/input'
import { roundedAmountOf, shortDecimalOf } from '@/lib/core/money'
import { ActionForm, FormField, Submit } from '../forms/action-form'

type Budget = {
  network_id: number
  network_name: string
  testnet: boolean
  daily_wei: bigint
  is_usual: boolean
  spent_wei: bigint
  transfers: bigint
  opened: Opened
}
type Network = { id: number; currency: { symbol: string; decimals: number } }

/** The daily budget, on each network, for transfers that holders sign in their wallets. */
export function TransferBudgetsCard({
  actionOf,
  budgets,
  networks,
  mayWrite,
}: {
  actionOf: (networkId: number) => FormAction
  budgets: readonly Budget[]
  networks: readonly Network[]
  mayWrite: boolean
}) {
  const t = useTranslations('dashboard.settings.transfers')
  return (
    <div id="transfers" className="scroll-mt-24">
      <Card title={t('title')} description={t('lead')}>
        <div className="grid gap-6">
          {budgets.map((budget) => (
            <OfNetwork
              key={budget.network_id}
              action={actionOf(budget.network_id)}
              budget={budget}
              currency={networks.find(({ id }) => id === budget.network_id)?.currency ?? { symbol: '', decimals: 18 }}
              mayWrite={mayWrite}
            />
          ))}
        </div>
      </Card>
    </div>
  )
}

type OfNetworkProps = { action: FormAction; budget: Budget; currency: Network['currency']; mayWrite: boolean }

function OfNetwork({ action, budget, currency: { symbol, decimals }, mayWrite }: OfNetworkProps) {
  const t = useTranslations('dashboard.settings')
  const locale = useLocale()
  const { network_name: name, daily_wei: daily, is_usual: isUsual, transfers } = budget
  const amount = shortDecimalOf(daily, decimals)
  return (
    <section className="grid gap-3">
      <div>
        <h3 className="flex flex-wrap items-center gap-2 font-medium">
          <span>{name}</span>
          {budget.testnet && <Badge>{t('testnet')}</Badge>}
        </h3>
        <p className="text-sm text-muted">
          <span>
            {daily === 0n
              ? t('transfers.nothing')
              : t(isUsual ? 'transfers.usual' : 'transfers.upTo', { amount, symbol })}
          </span>
          {transfers > 0n && (
            <span>
              {` ${t('transfers.spent', {
                amount: roundedAmountOf(budget.spent_wei, symbol, decimals, locale),
                count: Number(transfers),
              })}`}
            </span>
          )}
        </p>
      </div>
      {mayWrite && (
        <ActionForm action={action} opened={budget.opened}>
          <FormField
            name="daily_wei"
            label={t('transfers.most', { network: name, symbol })}
            hint={t('transfers.mostHint')}
            optional
          >
            <Input
              name="daily_wei:null"
              defaultValue={isUsual ? '' : amount}
              placeholder={amount}
              inputMode="decimal"
              autoComplete="off"
              className="figures max-w-56"
            />
          </FormField>
          <div>
            <Submit>{t('transfers.save')}</Submit>
          </div>
        </ActionForm>
      )}
    </section>
  )
}
