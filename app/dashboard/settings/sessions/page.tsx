import { getTranslations } from 'next-intl/server'
import { titled } from '@/app/language/titled'
import { ConfirmAction } from '@/components/dashboard/forms/confirm-action'
import { browserInWords } from '@/components/dashboard/passkeys/browser-in-words'
import { SettingsTabs } from '@/components/dashboard/shell/settings-tabs'
import { Badge } from '@/components/ui/badge'
import { Button } from '@/components/ui/button'
import { Card } from '@/components/ui/card'
import { PageHeader } from '@/components/ui/page-header'
import { RelativeTime } from '@/components/ui/relative-time'
import { DataTable } from '@/components/ui/data-table'
import { dashboardContext } from '@/lib/platform/auth/dashboard'
import { listSessions } from '@/lib/platform/auth/sessions'
import { endOtherSessionsAction, endSessionAction } from './actions'

export const generateMetadata = titled('dashboard.settings', 'sessions.title')

export default async function SessionsPage() {
  const [sessions, t, tSettings, tBrowser] = await Promise.all([
    dashboardContext().then(listSessions),
    getTranslations('dashboard.settings.sessions'),
    getTranslations('dashboard.settings'),
    getTranslations('dashboard.common.browser'),
  ])
  return (
    <>
      <PageHeader
        title={tSettings('title')}
        description={t('lead')}
        actions={
          sessions.length > 1 && (
            <ConfirmAction
              action={endOtherSessionsAction}
              trigger={<Button>{t('elsewhere')}</Button>}
              title={t('elsewhereTitle')}
              description={t('elsewhereLead')}
              confirm={t('elsewhere')}
            />
          )
        }
      />
      <SettingsTabs />
      <Card flush>
        <DataTable
          caption={t('title')}
          rows={sessions}
          columns={[
            {
              label: t('browser'),
              cell: ({ userAgent, isCurrent }) => (
                <span className="flex flex-wrap items-center gap-x-2 gap-y-1">
                  <span className="wrap-anywhere">{browserInWords(tBrowser, userAgent)}</span>
                  {isCurrent && <Badge tone="info">{t('thisOne')}</Badge>}
                </span>
              ),
            },
            {
              label: t('address'),
              cell: ({ clientAddress }) => (
                <span className="figures wrap-anywhere">{clientAddress ?? t('unknown')}</span>
              ),
            },
            { label: t('signedIn'), cell: ({ signedInAt }) => <RelativeTime at={signedInAt} /> },
            {
              label: t('lastUsed'),
              cell: ({ lastUsedAt }) => (lastUsedAt ? <RelativeTime at={lastUsedAt} /> : t('never')),
            },
            {
              label: t('actions'),
              actions: true,
              cell: ({ id, isCurrent }) =>
                !isCurrent && (
                  <ConfirmAction
                    action={endSessionAction.bind(null, id)}
                    trigger={
                      <Button size="sm" variant="quiet">
                        {t('end')}
                      </Button>
                    }
                    title={t('endTitle')}
                    description={t('endLead')}
                    confirm={t('endIt')}
                  />
                ),
            },
          ]}
        />
      </Card>
    </>
  )
}
