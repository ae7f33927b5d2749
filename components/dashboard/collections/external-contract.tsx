import { useTranslations } from 'next-intl'
import type { FormAction } from '@/lib/platform/api/form-action'
import { Address } from '@/components/ui/address'
import { Button } from '@/components/ui/button'
import { Card } from '@/components/ui/card'
import { Sentence } from '@/components/ui/sentence'
import { ConfirmAction } from '../forms/confirm-action'

/** The actions on a foreign contract. Actions null: without the permission. */
export function ExternalContract({
  mayMint,
  operator,
  action,
  refresh,
}: {
  mayMint: boolean
  operator: string | null
  action: FormAction | null
  refresh: FormAction | null
}) {
  const t = useTranslations('dashboard.collections.external')
  return (
    <Card title={t('title')}>
      <div className="grid gap-4 text-sm">
        <p>{mayMint ? t('mints') : t('readOnly')}</p>
        {!mayMint && operator && (
          <p className="text-muted">
            <Sentence>
              {t.rich('minterRole', {
                operator: () => <Address value={operator} copyLabel={t('copyOperator')} />,
              })}
            </Sentence>
          </p>
        )}
        <div className="flex flex-wrap gap-2">
          {action && (
            <ConfirmAction
              action={action}
              trigger={<Button size="sm">{t('check')}</Button>}
              title={t('askTitle')}
              description={t('askText')}
              confirm={t('askYes')}
              tone="primary"
            />
          )}
          {refresh && (
            <ConfirmAction
              action={refresh}
              trigger={<Button size="sm">{t('refresh')}</Button>}
              title={t('refreshTitle')}
              description={t('refreshText')}
              confirm={t('refreshYes')}
              tone="primary"
            />
          )}
        </div>
      </div>
    </Card>
  )
}
