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
import { Table, Tbody, Td, Th, Thead, Tr } from '@/components/ui/table'
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
        <Table caption={t('title')}>
          <Thead>
            <Th>{t('browser')}</Th>
            <Th>{t('address')}</Th>
            <Th>{t('signedIn')}</Th>
            <Th>{t('lastUsed')}</Th>
            <Th>
              <span className="sr-only">{t('actions')}</span>
            </Th>
          </Thead>
          <Tbody>
            {sessions.map(({ id, userAgent, clientAddress, signedInAt, lastUsedAt, isCurrent }) => (
              <Tr key={id}>
                <Td rowHeader>
                  <span className="flex flex-wrap items-center gap-x-2 gap-y-1">
                    <span className="wrap-anywhere">{browserInWords(tBrowser, userAgent)}</span>
                    {isCurrent && <Badge tone="info">{t('thisOne')}</Badge>}
                  </span>
                </Td>
                <Td label={t('address')}>
                  <span className="figures wrap-anywhere">{clientAddress ?? t('unknown')}</span>
                </Td>
                <Td label={t('signedIn')}>
                  <RelativeTime at={signedInAt} />
                </Td>
                <Td label={t('lastUsed')}>{lastUsedAt ? <RelativeTime at={lastUsedAt} /> : t('never')}</Td>
                <Td align="right">
                  {!isCurrent && (
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
                  )}
                </Td>
              </Tr>
            ))}
          </Tbody>
        </Table>
      </Card>
    </>
  )
}
