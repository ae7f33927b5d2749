import type { Metadata } from 'next'
import { KeyForm } from '@/components/dashboard/key-form'
import { PageHeader } from '@/components/ui/page-header'
import { heldPermissions } from '@/lib/auth/context'
import { dashboardContext } from '@/lib/auth/dashboard'
import { networkFacts } from '@/lib/networks/network-facts'
import { createKey } from '../actions'

export const metadata: Metadata = { title: 'New API key' }

export default async function NewApiKeyPage() {
  const ctx = await dashboardContext()
  return (
    <>
      <PageHeader back={{ href: '/dashboard/api-keys', label: 'API keys' }} title="New API key" />
      <KeyForm action={createKey} mine={heldPermissions(ctx)} testnetsOnly={networkFacts(ctx).every(({ testnet }) => testnet)} />
    </>
  )
}
