import type { Metadata } from 'next'
import { KeyForm } from '@/components/dashboard/members/key-form'
import { PageHeader } from '@/components/ui/page-header'
import { heldPermissions } from '@/lib/platform/auth/context'
import { dashboardContext } from '@/lib/platform/auth/dashboard'
import { networkFacts } from '@/lib/offers/networks/network-facts'
import { createKey } from '../actions'

export const metadata: Metadata = { title: 'New API key' }

export default async function NewApiKeyPage() {
  const ctx = await dashboardContext()
  return (
    <>
      <PageHeader back={{ href: '/dashboard/api-keys', label: 'API keys' }} title="New API key" />
      <KeyForm
        action={createKey}
        mine={heldPermissions(ctx)}
        testnetsOnly={networkFacts(ctx).every(({ testnet }) => testnet)}
      />
    </>
  )
}
