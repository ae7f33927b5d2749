import { headers } from 'next/headers'
import { getTranslations } from 'next-intl/server'
import { titled } from '@/app/language/titled'
import { ConfirmAction } from '@/components/dashboard/forms/confirm-action'
import { browserInWords } from '@/components/dashboard/passkeys/browser-in-words'
import { PasskeyForm } from '@/components/dashboard/passkeys/passkey-form'
import { SettingsTabs } from '@/components/dashboard/shell/settings-tabs'
import { Badge } from '@/components/ui/badge'
import { Button } from '@/components/ui/button'
import { Card } from '@/components/ui/card'
import { PageHeader } from '@/components/ui/page-header'
import { RelativeTime } from '@/components/ui/relative-time'
import { DataTable } from '@/components/ui/data-table'
import { dashboardContext } from '@/lib/platform/auth/dashboard'
import { listPasskeys } from '@/lib/platform/auth/passkeys'
import { beginRegistrationAction, finishRegistrationAction } from '../../../sign-in/passkey/actions'
import { removePasskeyAction } from './actions'

export const generateMetadata = titled('dashboard.passkeys', 'title')

export default async function PasskeysPage() {
  const [passkeys, t, tSettings, tBrowser] = await Promise.all([
    dashboardContext().then(listPasskeys),
    getTranslations('dashboard.passkeys'),
    getTranslations('dashboard.shell.settings'),
    getTranslations('dashboard.common.browser'),
  ])
  return (
    <>
      <PageHeader title={tSettings('label')} description={t('lead')} />
      <SettingsTabs />
      {passkeys.length > 0 && (
        <Card flush>
          <DataTable
            caption={t('title')}
            rows={passkeys}
            columns={[
              {
                label: t('passkey'),
                cell: ({ name, backedUp }) => (
                  <span className="flex flex-wrap items-center gap-x-2 gap-y-1">
                    <span className="wrap-anywhere">{name}</span>
                    {backedUp && <Badge>{t('synced')}</Badge>}
                  </span>
                ),
              },
              { label: t('registeredAt'), cell: ({ createdAt }) => <RelativeTime at={createdAt} /> },
              {
                label: t('lastUsed'),
                cell: ({ lastUsedAt }) => (lastUsedAt ? <RelativeTime at={lastUsedAt} /> : t('never')),
              },
              {
                label: t('actions'),
                actions: true,
                cell: ({ id }) => (
                  <ConfirmAction
                    action={removePasskeyAction.bind(null, id)}
                    trigger={
                      <Button size="sm" variant="quiet">
                        {t('remove')}
                      </Button>
                    }
                    title={t('removeTitle')}
                    description={t('removeLead')}
                    confirm={t('removeIt')}
                  />
                ),
              },
            ]}
          />
        </Card>
      )}
      <Card title={passkeys.length > 0 ? t('another') : t('first')} description={t('where')}>
        <PasskeyForm
          begin={beginRegistrationAction}
          finish={finishRegistrationAction}
          name={browserInWords(tBrowser, (await headers()).get('user-agent'))}
        />
      </Card>
    </>
  )
}
