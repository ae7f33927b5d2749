import type { Metadata } from 'next'
import { redirect } from 'next/navigation'
import { Button } from '@/components/ui/button'
import { Card } from '@/components/ui/card'
import { CALLBACK_PATH } from '@/lib/platform/auth/sign-in'

export const metadata: Metadata = { title: 'Sign in', robots: { index: false } }

/** Where a sign-in link leads. Nothing is read or changed before the button is pressed. */
export default async function ConfirmPage({ searchParams }: PageProps<'/sign-in/confirm'>) {
  const { token, email, callbackUrl, organization } = await searchParams
  if (typeof token !== 'string' || typeof email !== 'string') redirect('/sign-in?error=Verification')
  const query = new URLSearchParams({
    token,
    email,
    ...(typeof callbackUrl === 'string' && { callbackUrl }),
    ...(typeof organization === 'string' && { organization }),
  })
  return (
    <>
      <div>
        <h1 className="text-3xl font-medium">Sign in</h1>
        <p className="mt-2 wrap-anywhere text-muted">This link signs you in as {email}, once.</p>
      </div>
      <Card>
        <form method="post" action={`${CALLBACK_PATH}?${query}`} className="grid">
          <Button type="submit" variant="primary" size="lg">
            Open the dashboard
          </Button>
        </form>
      </Card>
    </>
  )
}
