import { now } from '../../core/clock.ts'
import { type Model, modelsScope, personScope } from '../../db/narrow-scopes.ts'
import { systemScope } from '../../db/scope.ts'
import { ports } from '../../ports/ports.ts'
import { type Caller, contextOf } from './authenticate.ts'
import type { Context, ModelsContext, PersonContext, SystemContext } from './context.ts'
import { findPerson, organizationIdsOf } from './person.ts'
import { signedIn } from './sessions.ts'

// The ways in that belong to no organization. Each reaches what its verbs need, and nothing else of what the worker
// sees.

const modelsContext = <M extends Model>(
  models: readonly M[],
  { requestId, clientAddress = '' }: { requestId: string; clientAddress?: string },
): ModelsContext<M> => ({
  sees: 'models',
  ...modelsScope(models),
  requestId,
  clientAddress,
  actor: { type: 'system' },
  now,
  ports: ports(),
})

/** For the copies of recipients' keys, which belong to no organization. */
export const walletCopiesContext = (anyone: Context) => modelsContext(['walletCopy'], anyone)

/** For a card provider's event: it may be about any organization. Its signature is what is trusted. */
export const cardEventContext = (caller: Caller) => modelsContext(['cardEvent'], caller)

/** For the sandbox's clock, which is one for all organizations. */
export const sandboxClockContext = () => modelsContext(['sandboxClock'], { requestId: 'sandbox clock' })

/** For the state of the whole installation. */
export const maintenanceContext = () => modelsContext(['maintenance'], { requestId: 'maintenance' })

/** For whoever sets up an installation that has no organization yet. */
export const setUpContext = (requestId: string) =>
  modelsContext(['setupLink', 'organization', 'user', 'member', 'verificationToken'], { requestId })

/** For whoever makes an organization without an invitation. */
export const signUpContext = (requestId: string) =>
  modelsContext(['signUp', 'organization', 'user', 'member', 'alarm'], { requestId })

/**
 * For whoever asks for a link: to sign in, or to what they were given. It goes to a mailbox alone, and the job that
 * mails it looks the mailbox up.
 */
export function linkRequestContext({
  requestId,
}: Pick<Context, 'requestId'>): Pick<SystemContext, 'later' | 'requestId'> {
  const { later } = systemScope()
  return { later, requestId }
}

/** For what belongs to the person signed in and to no organization: their language, sessions and passkeys. */
export function personContext(ctx: Context): PersonContext {
  const { requestId, clientAddress } = ctx
  const actor = signedIn(ctx)
  return { sees: 'person', ...personScope(actor.userId), requestId, clientAddress, actor, now, ports: ports() }
}

/** For a provider's word of somebody who signs in: each organization that they are a member of or invited to. */
export async function contextsOfPerson(
  email: string,
  caller: Caller,
): Promise<{ userId: string; contexts: Context[] } | null> {
  const userId = await findPerson(email)
  if (!userId) return null
  const ids = await organizationIdsOf(userId)
  return { userId, contexts: ids.map((id) => contextOf(caller, id, { type: 'system' })) }
}
