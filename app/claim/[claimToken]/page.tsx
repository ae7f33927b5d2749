import type { Metadata } from 'next'
import { OpenClaim } from '../open-claim'

type Props = { params: Promise<{ claimToken: string }>; searchParams: Promise<{ said?: string | string[] }> }

export const metadata: Metadata = {
  title: 'Something for you',
  robots: { index: false, follow: false },
  // Its forms are accepted by their Origin, which browsers leave out under no-referrer.
  referrer: 'same-origin',
}

export default async function Page({ params, searchParams }: Props) {
  const { claimToken } = await params
  const { said } = await searchParams
  return <OpenClaim place={{ token: claimToken, code: null }} said={said} />
}
