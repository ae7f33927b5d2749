import type { Metadata } from 'next'
import { notFound } from 'next/navigation'
import { getTranslations } from 'next-intl/server'
import { getAddress, isAddress } from 'viem'
import { originFacts } from '@/app/claim/origin-facts'
import { previewOf } from '@/app/c/preview'
import { readOwned } from '@/app/c/published'
import { PageFrame } from '@/app/language/page-frame'
import { OwnerPage } from '@/components/published/owner-page'

type Props = { params: Promise<{ address: string }>; searchParams: Promise<{ cursor?: string | string[] }> }

const ITEMS = 24

async function addressOf({ params }: Props): Promise<`0x${string}` | null> {
  const { address } = await params
  return isAddress(address, { strict: false }) ? getAddress(address) : null
}

export async function generateMetadata(props: Props): Promise<Metadata> {
  const address = await addressOf(props)
  if (!address) return {}
  const t = await getTranslations('published.owner')
  return {
    ...(await previewOf({
      title: t('name', { address: `${address.slice(0, 6)}…${address.slice(-4)}` }),
      description: t('about'),
      path: `/o/${address}`,
      picture: null,
    })),
    // Who owns what is public, but nobody asked to be found by it.
    robots: { index: false },
  }
}

export default async function Page(props: Props) {
  const address = await addressOf(props)
  if (!address) notFound()
  const { cursor } = await props.searchParams
  const after = typeof cursor === 'string' ? cursor : null
  const [{ networks }, items] = await Promise.all([originFacts(), readOwned(address, after, ITEMS)])
  if (!items) notFound()
  return (
    <PageFrame>
      <OwnerPage address={address} networks={networks} items={items} isFirst={after === null} />
    </PageFrame>
  )
}
