import { useTranslations } from 'next-intl'
import { getLocale, getTranslations } from 'next-intl/server'
import { CreditCard, RefreshCw } from 'lucide-react'
import { titled } from '@/app/language/titled'
import { ActionForm, Submit } from '@/components/dashboard/forms/action-form'
import { ConfirmAction } from '@/components/dashboard/forms/confirm-action'
import { ModeBar } from '@/components/dashboard/shell/mode-bar'
import { Refresh } from '@/components/dashboard/shell/refresh'
import { Alert } from '@/components/ui/alert'
import { StateBadge } from '@/components/ui/badge'
import { Button } from '@/components/ui/button'
import { Card } from '@/components/ui/card'
import { CopyButton } from '@/components/ui/copy-button'
import { Fact, Facts } from '@/components/ui/facts'
import { PageHeader } from '@/components/ui/page-header'
import { TextLink } from '@/components/ui/text-link'
import { RelativeTime } from '@/components/ui/relative-time'
import { may } from '@/lib/platform/auth/context'
import { dashboardContext } from '@/lib/platform/auth/dashboard'
import { networkFacts } from '@/lib/offers/networks/network-facts'
import { getOrganization } from '@/lib/organizations/get-organization'
import { listIntegrations } from '@/lib/selling/payments/list-integrations'
import { connectAction, disconnectAction, goOnAction, refreshAction } from './actions'

export const generateMetadata = titled('dashboard.payments', 'title')

type Integration = Awaited<ReturnType<typeof listIntegrations>>['results'][number]
type Mode = 'TEST' | 'LIVE'

const STRIPE = 'Stripe'

export default async function PaymentsPage({ searchParams }: PageProps<'/dashboard/payments'>) {
  const { returned, renew } = await searchParams
  const [ctx, t, locale] = await Promise.all([dashboardContext(), getTranslations('dashboard.payments'), getLocale()])
  const [integrations, organization] = await Promise.all([listIntegrations(ctx, { limit: 100 }), getOrganization(ctx)])
  const networks = networkFacts(ctx)
  const modes = (['TEST', 'LIVE'] as const).filter((mode) =>
    networks.some(({ testnet }) => testnet === (mode === 'TEST')),
  )
  const nameOf = (networkId: number) => networks.find(({ id }) => id === networkId)?.name ?? String(networkId)
  const mayWrite = may(ctx, 'payments:write')
  const pending = integrations.results.some(({ status, account_id }) => status === 'PENDING' && account_id !== null)
  const renewed = integrations.results.find(({ id, status }) => id === renew && status !== 'DISCONNECTED')
  return (
    <>
      <Refresh everySeconds={pending && 3} />
      <PageHeader title={t('title')} description={t('description')} />
      {renewed && (
        <Alert tone="warning" live title={t('renewedTitle')}>
          {t('renewed')}
        </Alert>
      )}
      {pending && typeof returned === 'string' && (
        <Alert tone="info" live title={t('checkingTitle')}>
          {t('checking')}
        </Alert>
      )}
      {modes.map((mode) => {
        const current = integrations.results.find((one) => one.mode === mode && one.status !== 'DISCONNECTED')
        return (
          <Card key={mode} title={t(`cards.${mode}.title`)} description={t(`cards.${mode}.text`)}>
            <div className="grid gap-5">
              <ModeBar mode={mode} />
              {current ? (
                <Account integration={current} mayWrite={mayWrite} />
              ) : (
                <NotConnected mode={mode} mayWrite={mayWrite} />
              )}
            </div>
          </Card>
        )
      })}
      <Card title={t('crypto.title')} description={t('crypto.text')}>
        <Facts>
          <Fact name={t('crypto.payout')}>
            {organization.payout_address ? (
              <span className="figures break-all">{organization.payout_address}</span>
            ) : (
              <span className="text-muted">{t('crypto.notSet')}</span>
            )}
          </Fact>
        </Facts>
        {organization.payout_warnings.length > 0 && (
          <Alert tone="warning" className="my-3">
            <ul className="grid gap-1">
              {organization.payout_warnings.map(({ network_id, listing_id, is_burn_address, detail }) => (
                <li key={listing_id ?? network_id}>
                  {locale === 'en' ? (
                    detail
                  ) : listing_id ? (
                    <TextLink href={`/dashboard/listings/${listing_id}`}>{t('crypto.paused')}</TextLink>
                  ) : is_burn_address ? (
                    t('crypto.burns')
                  ) : (
                    t('crypto.notDeployed', { network: nameOf(network_id) })
                  )}
                </li>
              ))}
            </ul>
          </Alert>
        )}
        <p className="mt-3 text-sm">
          <TextLink href="/dashboard/settings#payout">
            {organization.payout_address ? t('crypto.change') : t('crypto.set')}
          </TextLink>
        </p>
      </Card>
    </>
  )
}

function NotConnected({ mode, mayWrite }: { mode: Mode; mayWrite: boolean }) {
  const t = useTranslations('dashboard.payments')
  return (
    <div className="grid gap-4">
      <p className="text-sm text-muted">{t(`cards.${mode}.none`)}</p>
      {mayWrite && (
        <ActionForm action={connectAction.bind(null, mode)}>
          <div>
            <Submit icon={<CreditCard aria-hidden="true" className="size-4" />}>{t('connect')}</Submit>
          </div>
        </ActionForm>
      )}
    </div>
  )
}

function Account({ integration, mayWrite }: { integration: Integration; mayWrite: boolean }) {
  const { id, mode, status, account_id, requirements } = integration
  const t = useTranslations('dashboard.payments')
  const unfinished = status === 'PENDING' || status === 'RESTRICTED'
  return (
    <div className="grid gap-4">
      <Facts>
        <Fact name={t('account.state')}>
          <StateBadge state={LOOKS[status]} label={t(`account.states.${status}`)} />
        </Fact>
        <Fact name={t('account.provider')}>{integration.adapter === 'SANDBOX' ? t('account.builtIn') : STRIPE}</Fact>
        {account_id && (
          <Fact name={t('account.yours')}>
            <span className="flex items-center gap-1">
              <span className="figures break-all">{account_id}</span>
              <CopyButton text={account_id} label={t('account.copyId')} />
            </span>
          </Fact>
        )}
        <Fact name={t('account.checked')}>
          {integration.refreshed_at ? <RelativeTime at={integration.refreshed_at} /> : t('account.never')}
        </Fact>
      </Facts>
      {unfinished && (
        <Alert
          tone={status === 'PENDING' ? 'info' : 'warning'}
          title={status === 'PENDING' ? t('account.unfinished') : t('account.stopped')}
        >
          {requirements.length > 0 ? (
            <>
              <p>{t('account.asks')}</p>
              <ul lang="en" className="mt-1 list-disc pl-5">
                {requirements.map((requirement) => (
                  <li key={requirement} className="wrap-anywhere">
                    {worded(requirement)}
                  </li>
                ))}
              </ul>
            </>
          ) : (
            t('account.nothing')
          )}
        </Alert>
      )}
      {mayWrite && (
        <div className="flex flex-wrap gap-2">
          {unfinished && (
            <ActionForm action={goOnAction.bind(null, id)}>
              <Submit icon={<CreditCard aria-hidden="true" className="size-4" />}>{t('account.continue')}</Submit>
            </ActionForm>
          )}
          <ActionForm action={refreshAction.bind(null, id)}>
            <Submit variant="secondary" icon={<RefreshCw aria-hidden="true" className="size-4" />}>
              {t('account.check')}
            </Submit>
          </ActionForm>
          <ConfirmAction
            action={disconnectAction.bind(null, id)}
            trigger={<Button variant="danger">{t('account.disconnect')}</Button>}
            title={t(`cards.${mode}.disconnect`)}
            description={t('account.disconnectText')}
            confirm={t('account.disconnectConfirm')}
            type={account_id ?? mode}
          />
        </div>
      )}
    </div>
  )
}

/** The colours of an account's states. */
const LOOKS = {
  PENDING: 'PENDING',
  ACTIVE: 'ACTIVE',
  RESTRICTED: 'UNRESOLVED',
  DISCONNECTED: 'CANCELLED',
} satisfies Record<Integration['status'], string>

/** The provider's `individual.id_number` as readable English text. */
const worded = (requirement: string): string => {
  const words = requirement.replaceAll(/[._]/g, ' ')
  return words.charAt(0).toUpperCase() + words.slice(1)
}
