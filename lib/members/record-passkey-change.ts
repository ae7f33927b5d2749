import { inJoinedOrganizations, type WorkerContext } from '../platform/auth/context.ts'
import { mailOwners } from '../messaging/on-protected-change.ts'
import { writeMail } from '../messaging/outbox/write-mail.ts'
import { recordAudit } from '../records/audit/record-audit.ts'

type Change = {
  action: 'passkey.registered' | 'passkey.removed'
  id: string
  name: string
  /** What was done, as a sentence for the person. */
  words: string
  /** The same for the owners of organizations that ask for passkeys; left out: they aren't told. */
  forOwners?: string
}

/**
 * Enters a change of a person's passkeys in the log of each organization they have joined, and mails the person. Owners are told where
 * a passkey is what opens the dashboard. Call it in the transaction of the change.
 */
export async function recordPasskeyChange(person: WorkerContext, change: Change): Promise<void> {
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
  const variables = {
    change: change.words,
    origin_host: new URL(origin).host,
    dashboard_url: `${origin}/dashboard/settings/passkeys`,
  }
  await writeMail(person, { templateType: 'PASSKEY_CHANGE', to: actor.email, variables })
}
