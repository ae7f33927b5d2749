import { useTranslations } from 'next-intl'
import { Card } from '@/components/ui/card'
import { CopyButton } from '@/components/ui/copy-button'
import { Table, Tbody, Td, Th, Thead, Tr } from '@/components/ui/table'
import { recordsFor, senderDomain } from './email-records'

/** The sender's DNS records, ready to be copied. */
export function EmailDns({ integration }: { integration: Parameters<typeof recordsFor>[0] }) {
  const t = useTranslations('dashboard.settings.mail.dns')
  return (
    <Card flush title={t('title')} description={t('lead', { domain: senderDomain(integration) })}>
      <Table caption={t('caption')}>
        <Thead>
          <Th>{t('record')}</Th>
          <Th>{t('name')}</Th>
          <Th>{t('value')}</Th>
        </Thead>
        <Tbody>
          {recordsFor(integration).map(({ purpose, type, name, value, note, domain }) => (
            <Tr key={purpose}>
              <Td rowHeader>
                <span className="sm:whitespace-nowrap">
                  <span>{purpose}</span> <span className="font-normal text-muted">{type}</span>
                </span>
              </Td>
              <Td label={t('name')}>
                <span className="flex items-center gap-1">
                  <span className="figures break-all">{name}</span>
                  {value !== null && <CopyButton text={name} label={t('copyName', { purpose })} />}
                </span>
              </Td>
              <Td label={t('value')}>
                <span className="grid gap-1">
                  {value !== null && (
                    <span className="flex items-center gap-1">
                      <span className="figures break-all">{value}</span>
                      <CopyButton text={value} label={t('copyValue', { purpose })} />
                    </span>
                  )}
                  <span className="text-muted">{t(`notes.${note}`, { domain })}</span>
                </span>
              </Td>
            </Tr>
          ))}
        </Tbody>
      </Table>
    </Card>
  )
}
