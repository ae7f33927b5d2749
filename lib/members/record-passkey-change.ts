import { inJoinedOrganizations, type PersonContext } from '../platform/auth/context.ts'
import { localeOf } from '../core/locales.ts'
import type { Change } from '../messaging/changes.ts'
import { mailOwners } from '../messaging/on-protected-change.ts'
import { mailsCalls } from '../messaging/outbox/write-mail.ts'
import { writeIn } from '../db/organization-transaction.ts'
import { filled, memberWords } from '../messaging/templates/mail-words.ts'
import { localesOf } from '../platform/auth/person.ts'
import { recordAudit } from '../records/audit/record-audit.ts'

type PasskeyChange = {
  action: 'passkey.registered' | 'passkey.removed'
  id: string
  name: string
  /** The news for the owners of organizations that ask for passkeys; left out: none. */
  forOwners?: Change
}

/**
 * Enters a change of a person's passkeys in the log of each organization they have joined, and mails the person. Owners
 * are told where a passkey is what opens the dashboard. Call it in the transaction of the change.
 */
export async function recordPasskeyChange(person: PersonContext, change: PasskeyChange): Promise<void> {
  const { actor, ports } = person
  if (actor.type !== 'member') return
  const { origin } = ports.addresses
  await inJoinedOrganizations(person, async (own) => {
    await recordAudit(own, {
      action: change.action,
      subject: { type: 'passkey', id: change.id },
      after: { name: change.name },
    })
    if (change.forOwners === undefined) return
    const { requiresPasskeys } = await own.db.organization.findFirstOrThrow({ select: { requiresPasskeys: true } })
    if (requiresPasskeys) await mailOwners(own, change.forOwners, actor.email)
  })
  const { chosen, organizations } = await localesOf(actor.email)
  const locale = localeOf(chosen, ...organizations)
  const { added, removed } = memberWords(locale).passkeyChange
  const variables = {
    change: filled(change.action === 'passkey.registered' ? added : removed, locale, { name: change.name }),
    origin_host: new URL(origin).host,
    dashboard_url: `${origin}/dashboard/settings/passkeys`,
  }
  const mail = { templateType: 'PASSKEY_CHANGE', to: actor.email, locale, variables } as const
  await writeIn(person, ...mailsCalls(person, null, [mail]).calls)
}
