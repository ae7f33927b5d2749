import { useTranslations } from 'next-intl'
import { Card } from '@/components/ui/card'
import { CopyButton } from '@/components/ui/copy-button'
import { DataTable } from '@/components/ui/data-table'
import { recordsFor, senderDomain } from './email-records'

/** The sender's DNS records, ready to be copied. */
export function EmailDns({ integration }: { integration: Parameters<typeof recordsFor>[0] }) {
  const t = useTranslations('dashboard.settings.mail.dns')
  return (
    <Card flush title={t('title')} description={t('lead', { domain: senderDomain(integration) })}>
      <DataTable
        caption={t('caption')}
        rows={recordsFor(integration).map((record) => ({ ...record, id: record.purpose }))}
        columns={[
          {
            label: t('record'),
            cell: ({ purpose, type }) => (
              <span className="sm:whitespace-nowrap">
                <span>{purpose}</span> <span className="font-normal text-muted">{type}</span>
              </span>
            ),
          },
          {
            label: t('name'),
            cell: ({ purpose, name, value }) => (
              <span className="flex items-center gap-1">
                <span className="figures break-all">{name}</span>
                {value !== null && <CopyButton text={name} label={t('copyName', { purpose })} />}
              </span>
            ),
          },
          {
            label: t('value'),
            cell: ({ purpose, value, note, domain }) => (
              <span className="grid gap-1">
                {value !== null && (
                  <span className="flex items-center gap-1">
                    <span className="figures break-all">{value}</span>
                    <CopyButton text={value} label={t('copyValue', { purpose })} />
                  </span>
                )}
                <span className="text-muted">{t(`notes.${note}`, { domain })}</span>
              </span>
            ),
          },
        ]}
      />
    </Card>
  )
}
