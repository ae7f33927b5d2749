import { stripeModeOf } from '../../../lib/ports/cards/stripe.ts'
import { listWebhookEndpoints } from '../../../lib/ports/cards/stripe-webhooks.ts'
import { stripeSettingsOf } from '../../../lib/ports/ports.ts'
import { type Check, type Finding, ok, type Subject, warning, wrong } from '../check.ts'
import { remedyFor } from '../remedy.ts'

/** Whether the keys belong together, Stripe takes them, and its events reach us. */
export const stripe: Check = {
  name: 'Stripe',
  run: async (subject) => {
    const { settings } = subject
    if (!settings.STRIPE_SECRET_KEY)
      return [
        settings.VITRINE_SANDBOX
          ? ok('STRIPE_SECRET_KEY', 'Not set: the built-in provider takes test cards.')
          : warning(
              'STRIPE_SECRET_KEY',
              'Not set, so nothing is sold by card; the built-in provider serves test networks only.',
              'Set STRIPE_SECRET_KEY, STRIPE_PUBLISHABLE_KEY and STRIPE_WEBHOOK_SECRET.',
            ),
      ]
    return [...keyFindings(subject), await webhookFinding(subject)]
  },
}

function keyFindings({ settings }: Subject): Finding[] {
  const { STRIPE_SECRET_KEY: secret, STRIPE_PUBLISHABLE_KEY: publishable } = settings
  const mode = stripeModeOf(secret)
  const findings: Finding[] = []
  if (!/^[rs]k_(live|test)_/.test(secret))
    findings.push(
      wrong(
        'STRIPE_SECRET_KEY',
        'This is no secret key of Stripe.',
        'It begins with sk_live_, sk_test_, rk_live_ or rk_test_.',
      ),
    )
  if (!/^pk_(live|test)_/.test(publishable))
    findings.push(
      wrong('STRIPE_PUBLISHABLE_KEY', 'This is no publishable key of Stripe.', 'It begins with pk_live_ or pk_test_.'),
    )
  else if (stripeModeOf(publishable) !== mode)
    findings.push(
      wrong(
        'STRIPE_PUBLISHABLE_KEY',
        `The secret key is a ${mode} key, and this one is not: no buyer can pay.`,
        'Take both keys from the same mode of the same account.',
      ),
    )
  if (settings.STRIPE_WEBHOOK_SECRET.length === 0)
    findings.push(
      wrong(
        'STRIPE_WEBHOOK_SECRET',
        'Not set, so every event of Stripe is refused.',
        'Set it to the signing secret of the webhook in Stripe’s dashboard.',
      ),
    )
  else if (settings.STRIPE_WEBHOOK_SECRET.some((each) => !each.startsWith('whsec_')))
    findings.push(wrong('STRIPE_WEBHOOK_SECRET', 'This is no signing secret of Stripe.', 'It begins with whsec_.'))
  return findings
}

async function webhookFinding({ settings, quote }: Subject): Promise<Finding> {
  const url = `${settings.ORIGIN}/webhooks/cards/stripe`
  const remedy = `In Stripe’s dashboard, add a webhook for connected accounts at ${url} with the events that .env.example names.`
  try {
    const own = (await listWebhookEndpoints(stripeSettingsOf(settings))).filter((each) => each.url === url)
    const used = own.find(({ enabled, missingEvents }) => enabled && missingEvents.length === 0)
    if (used) return ok('webhook', `Stripe posts all events to ${url}. It must be one for connected accounts.`)
    const [first] = own
    if (!first) return wrong('webhook', `Stripe has no webhook at ${url}.`, remedy)
    return first.enabled
      ? wrong('webhook', `The webhook at ${url} lacks ${first.missingEvents.join(', ')}.`, 'Add these events to it.')
      : wrong('webhook', `The webhook at ${url} is disabled.`, 'Enable it in Stripe’s dashboard.')
  } catch (error) {
    return wrong(
      'STRIPE_SECRET_KEY',
      `Stripe does not tell its webhooks: ${quote(error)}`,
      remedyFor(
        error,
        'See that the key is right, may read webhook endpoints, and that this machine reaches api.stripe.com.',
      ),
    )
  }
}
