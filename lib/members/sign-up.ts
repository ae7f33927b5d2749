import { inTransaction, type ModelsContext } from '../platform/auth/context.ts'
import { isSignUpOpen } from '../platform/auth/sign-in.ts'
import { DAY } from '../core/clock.ts'
import { env } from '../core/env.ts'
import { AppError } from '../core/errors.ts'
import { clientNetwork } from '../core/ip-address.ts'
import { mailboxOf } from '../core/mailbox.ts'
import { createOrganization, type NewOrganization } from '../organizations/create-organization.ts'
import { raiseAlarm } from '../records/alarms/raise-alarm.ts'
import { countSignUp, lockSignUps } from './count-sign-up.ts'

type NewPerson = {
  name: string
  /** Of the person signed in, whose mailbox the sign-in proved. */
  email: string
  clientAddress: string
}

type SignUpContext = ModelsContext<'signUp' | 'organization' | 'user' | 'member' | 'alarm'>

/**
 * Makes an organization for a person who isn't invited, where anybody may. Until an operator approves it, it has test
 * networks only and small quotas; the operator is told. Throws `forbidden` where people come in by invitation, and
 * `rate_limited` when the mailbox or the client has made its share.
 */
export const signUp = (person: SignUpContext, { name, email, clientAddress }: NewPerson): Promise<NewOrganization> =>
  inTransaction(person, async (tx) => {
    if (!isSignUpOpen())
      throw new AppError('forbidden', 'Organizations are made by invitation here. Ask whoever runs this installation.')
    await lockSignUps(tx)
    const waiting = await tx.db.signUp.count({
      where: { mailbox: mailboxOf(email), organization: { newcomerSince: { not: null } } },
    })
    if (waiting >= env.SIGN_UPS_PER_MAILBOX)
      throw new AppError(
        'rate_limited',
        'Your earlier organizations wait for approval. Ask whoever runs this installation to approve them first.',
        { retryAfterSeconds: DAY },
      )
    const made = await createOrganization(tx, { name, owner_email: email, isNewcomer: true })
    const { organizationId } = made
    if (!(await countSignUp(tx, { email, client: clientNetwork(clientAddress), organizationId })))
      throw new AppError('rate_limited', 'Too many organizations were made from your network. Try again tomorrow.', {
        retryAfterSeconds: DAY,
      })
    await raiseAlarm(
      tx,
      'newcomer',
      organizationId,
      `“${name}” of ${email} has test networks and small quotas until you approve it: ` +
        `npm run admin -- approve ${organizationId}`,
    )
    return made
  })
