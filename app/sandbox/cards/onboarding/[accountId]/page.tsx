import { notFound } from 'next/navigation'
import { OnboardingForm } from '@/components/checkout/onboarding-form'
import { Refresh } from '@/components/dashboard/shell/refresh'
import { LinkButton } from '@/components/ui/link-button'
import { Spinner } from '@/components/ui/spinner'
import { Step } from '@/components/shared/step'
import { findOnboarding } from '@/lib/ports/sandbox-cards/accounts'
import { openSandboxStore } from '@/lib/ports/sandbox-cards/store'
import { sendIn } from './actions'

type Props = { params: Promise<{ accountId: string }>; searchParams: Promise<{ token?: string | string[] }> }

export default async function Page({ params, searchParams }: Props) {
  const { accountId } = await params
  const { token } = await searchParams
  const onboarding = typeof token === 'string' ? await findOnboarding(openSandboxStore(), accountId, token) : null
  if (!onboarding || typeof token !== 'string') notFound()
  switch (onboarding.state) {
    case 'NEW':
      return (
        <Step
          title="Open your account"
          lead={
            'With a real provider you would prove who you are. ' +
            'Here everything is filled in, and nothing of it is kept.'
          }
          takeFocus={false}
          level={1}
        >
          <OnboardingForm onSendIn={sendIn.bind(null, accountId, token)} />
        </Step>
      )
    case 'VERIFYING':
      return (
        <Step title="We are looking at it" lead="This takes a few seconds. The page goes on by itself." level={1}>
          <Spinner label="Being verified" className="text-glass" />
          <Refresh everySeconds={1} />
        </Step>
      )
    case 'ENABLED':
      return (
        <Step title="Your account can take cards" lead="Everything is in order." level={1}>
          <LinkButton href={onboarding.returnUrl} variant="primary" size="lg">
            Back to Vitrine
          </LinkButton>
        </Step>
      )
  }
}
