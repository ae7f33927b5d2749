import type { SandboxAccount } from '../../../generated/prisma/client.ts'
import { secondsFrom } from '../../core/clock.ts'
import type { Books } from './books.ts'
import { noteEvent } from './events.ts'
import { invalid, missing, SandboxFailure } from './failure.ts'
import { idOfKey, isPageToken, pageToken, sandboxId } from './keys.ts'
import { accountObject } from './objects.ts'

/** How long the provider takes to look at what an account's owner told it. */
const VERIFICATION_SECONDS = 4

/** The account, as long as the platform may act for it. */
export async function readAccount(books: Books, id: string): Promise<SandboxAccount> {
  const row = await books.db.sandboxAccount.findUnique({ where: { id } })
  if (!row) throw missing('account', id)
  if (row.state === 'DISCONNECTED')
    throw new SandboxFailure(403, {
      type: 'invalid_request_error',
      code: 'account_invalid',
      message: `The provided key does not have access to account '${id}' (or that account does not exist). Application access may have been revoked.`,
    })
  return row
}

export async function createAccount(books: Books, form: URLSearchParams, key: string | null): Promise<object> {
  if (form.get('type') !== 'standard')
    throw invalid('Only standard accounts can be made here.', 'parameter_unknown', { param: 'type' })
  const id = key ? idOfKey('acct', key) : sandboxId('acct', 16)
  await books.db.sandboxAccount.createMany({
    data: [{ id, state: 'NEW', createdAt: books.now() }],
    skipDuplicates: true,
  })
  return accountObject(await readAccount(books, id), books.now())
}

export async function createAccountLink(books: Books, form: URLSearchParams): Promise<object> {
  const id = form.get('account') ?? ''
  const returnUrl = form.get('return_url')
  if (form.get('type') !== 'account_onboarding' || !returnUrl || !form.get('refresh_url'))
    throw invalid('account_onboarding with return_url and refresh_url is needed.', 'parameter_missing')
  await readAccount(books, id)
  await books.db.sandboxAccount.update({ where: { id }, data: { returnUrl } })
  const created = Math.floor(books.now().getTime() / 1000)
  return {
    object: 'account_link',
    created,
    expires_at: created + 300,
    url: `${books.origin}/sandbox/cards/onboarding/${id}?token=${pageToken('onboarding', id)}`,
  }
}

export type Onboarding = { accountId: string; state: 'NEW' | 'VERIFYING' | 'ENABLED'; returnUrl: string }

/** What the onboarding page shows; null when the link is not one of ours. */
export async function findOnboarding(books: Books, accountId: string, token: string): Promise<Onboarding | null> {
  if (!isPageToken('onboarding', accountId, token)) return null
  const row = await books.db.sandboxAccount.findUnique({ where: { id: accountId } })
  if (!row || row.state === 'DISCONNECTED') return null
  const { charges_enabled: enabled } = accountObject(row, books.now())
  return {
    accountId,
    state: enabled ? 'ENABLED' : row.state === 'VERIFYING' ? 'VERIFYING' : 'NEW',
    returnUrl: row.returnUrl ?? `${books.origin}/dashboard/payments`,
  }
}

/** The owner has answered everything: the provider looks at it, which takes some seconds. */
export async function submitOnboarding(books: Books, accountId: string, token: string): Promise<Onboarding | null> {
  if (!isPageToken('onboarding', accountId, token)) return null
  await books.transaction(async (tx) => {
    const verifiesAt = secondsFrom(tx.now(), VERIFICATION_SECONDS)
    const { count } = await tx.db.sandboxAccount.updateMany({
      where: { id: accountId, state: 'NEW' },
      data: { state: 'VERIFYING', verifiesAt },
    })
    if (count > 0) await noteAccount(tx, accountId)
  })
  return findOnboarding(books, accountId, token)
}

/** Ends verifications whose time has come. */
export async function finishVerifications(books: Books): Promise<void> {
  const due = await books.db.sandboxAccount.findMany({
    where: { state: 'VERIFYING', verifiesAt: { lte: books.now() } },
    take: 100,
  })
  for (const { id } of due)
    await books.transaction(async (tx) => {
      const { count } = await tx.db.sandboxAccount.updateMany({
        where: { id, state: 'VERIFYING' },
        data: { state: 'ENABLED' },
      })
      if (count > 0) await noteAccount(tx, id)
    })
}

/** An account that is through at once: for demo data. */
export async function enableAccount(books: Books, id: string): Promise<void> {
  await books.db.sandboxAccount.updateMany({
    where: { id, state: { in: ['NEW', 'VERIFYING'] } },
    data: { state: 'ENABLED' },
  })
}

/** The owner takes the platform's access away, as they can in the provider's own dashboard. */
export const deauthorizeAccount = (books: Books, id: string): Promise<void> =>
  books.transaction(async (tx) => {
    const { count } = await tx.db.sandboxAccount.updateMany({
      where: { id, state: { not: 'DISCONNECTED' } },
      data: { state: 'DISCONNECTED' },
    })
    if (count > 0)
      await noteEvent(tx, id, 'account.application.deauthorized', {
        id: 'ca_sandbox',
        object: 'application',
        name: 'Vitrine',
      })
  })

/** The provider stops the account's charges, or allows them again, as it does when it needs to know more. */
export const restrictAccount = (books: Books, id: string, restricted: boolean): Promise<void> =>
  books.transaction(async (tx) => {
    const { count } = await tx.db.sandboxAccount.updateMany({
      where: { id, state: restricted ? 'ENABLED' : 'RESTRICTED' },
      data: { state: restricted ? 'RESTRICTED' : 'ENABLED' },
    })
    if (count > 0) await noteAccount(tx, id)
  })

async function noteAccount(books: Books, id: string): Promise<void> {
  const row = await books.db.sandboxAccount.findUniqueOrThrow({ where: { id } })
  await noteEvent(books, id, 'account.updated', accountObject(row, books.now()))
}
