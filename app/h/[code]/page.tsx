import { cookies } from 'next/headers'
import { notFound } from 'next/navigation'
import { titled } from '@/app/language/titled'
import { PageFrame } from '@/app/language/page-frame'
import { OpenClaim } from '@/app/claim/open-claim'
import { TakeClaim } from '@/components/claim/take-claim'
import { isHandoverCode } from '@/lib/platform/auth/handover-context'
import { takeAction } from './actions'
import { HANDOVER_COOKIE } from './handover-cookie'

type Props = { params: Promise<{ code: string }>; searchParams: Promise<{ said?: string | string[] }> }

export const generateMetadata = titled('claim.page', 'title', {
  robots: { index: false, follow: false },
  // Its forms are accepted by their Origin, which browsers leave out under no-referrer.
  referrer: 'same-origin',
})

/**
 * Where a claim goes on in another browser. Opening the page looks nothing up and uses nothing up, since apps fetch
 * addresses ahead of people; the button takes the claim, whose token is in this browser's cookie from then on and never
 * in an address.
 */
export default async function Page({ params, searchParams }: Props) {
  const { code } = await params
  const { said } = await searchParams
  if (!isHandoverCode(code)) notFound()
  const token = (await cookies()).get(HANDOVER_COOKIE)?.value
  if (token) return <OpenClaim place={{ token, code }} said={said} />
  return (
    <PageFrame>
      <TakeClaim said={typeof said === 'string' ? said : null} take={takeAction.bind(null, code)} />
    </PageFrame>
  )
}
