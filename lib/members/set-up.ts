import { inTransaction, type ModelsContext } from '../platform/auth/context.ts'
import { createSignInLink } from '../platform/auth/sign-in.ts'
import { MINUTE } from '../core/clock.ts'
import { AppError } from '../core/errors.ts'
import { createOrganization } from '../organizations/create-organization.ts'
import { isSetUp, lockSetup, setupTokenHash } from './issue-setup-link.ts'

type SetUpContext = ModelsContext<'setupLink' | 'organization' | 'user' | 'member' | 'verificationToken'>

type Setup = { token: string; name: string; email: string }

/**
 * Makes the first organization for the holder of a setup link, and returns a sign-in link for its owner, whose mail may
 * not work yet. Throws `forbidden` when the link was never issued, was used, or is over, and once any organization
 * exists.
 */
export const setUp = (anyone: SetUpContext, { token, name, email }: Setup): Promise<string> =>
  inTransaction(anyone, async (tx) => {
    await lockSetup(tx)
    const { count } = await tx.db.setupLink.deleteMany({
      where: { tokenHash: setupTokenHash(token), expiresAt: { gt: tx.now() } },
    })
    if (await isSetUp(tx)) throw new AppError('forbidden', 'This installation is set up already. Sign in instead.')
    if (count === 0)
      throw new AppError(
        'forbidden',
        'This link was used, or its hour is over. Restart the web process: it prints a new one.',
      )
    const { organizationId } = await createOrganization(tx, { name, owner_email: email })
    return createSignInLink(email, { lifetimeSeconds: 10 * MINUTE, organizationId, db: tx.db })
  })
