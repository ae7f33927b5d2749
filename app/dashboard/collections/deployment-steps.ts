import { getTranslations } from 'next-intl/server'
import type { Step } from '@/components/dashboard/forms/steps'
import type { getTransaction } from '@/lib/onchain/transactions/get-transaction'

type DeploymentTransaction = Awaited<ReturnType<typeof getTransaction>> | null

/** How far a deployment is. */
export async function deploymentSteps(transaction: DeploymentTransaction): Promise<Step[]> {
  const t = await getTranslations('dashboard.collections')
  const sent = transaction !== null && transaction.state !== 'PENDING'
  return [
    { name: t('steps.asked'), state: 'done', at: transaction?.created_at ?? null },
    { name: t('steps.sent'), state: sent ? 'done' : 'now', at: transaction?.submitted_at ?? null },
    { name: t('steps.confirmed'), state: sent ? 'now' : 'todo', note: sent ? t('steps.waiting') : null },
  ]
}
