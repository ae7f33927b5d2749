import { getTranslations } from 'next-intl/server'
import { Alert } from '@/components/ui/alert'
import { env } from '@/lib/core/env'
import type { Context } from '@/lib/platform/auth/context'
import { listSuspensions } from '@/lib/data/abuse/list-suspensions'

/** Says on every page of the dashboard what is suspended, why, and whom to ask. */
export async function SuspensionBar({ ctx }: { ctx: Context }) {
  const [suspensions, t] = await Promise.all([listSuspensions(ctx), getTranslations('dashboard.shell.suspended')])
  if (suspensions.length === 0) return null
  return (
    <Alert
      tone="warning"
      title={
        suspensions.some(({ collectionName }) => collectionName === null)
          ? t('organization')
          : t('collections', { count: suspensions.length })
      }
    >
      <ul className="grid gap-1 wrap-anywhere">
        {suspensions.map(({ id, collectionName, reason }) => (
          <li key={id}>{collectionName === null ? reason : `${collectionName}: ${reason}`}</li>
        ))}
      </ul>
      <p className="mt-1">
        {`${t('lead')} ${env.OPERATOR_EMAIL ? t('askAt', { email: env.OPERATOR_EMAIL }) : t('ask')}`}
      </p>
    </Alert>
  )
}
