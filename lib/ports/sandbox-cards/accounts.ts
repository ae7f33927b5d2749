import type { SandboxAccount } from '../../../generated/prisma/client.ts'
import { secondsFrom } from '../../core/clock.ts'
import type { SandboxStore } from './store.ts'
import { recordSandboxEvent } from './events.ts'
import { invalidRequest, notFoundFailure, SandboxFailure } from './failure.ts'
import { idsOfKey, isPageToken, pageToken, sandboxId } from './keys.ts'
import { accountObject } from './objects.ts'

/** How long the provider takes to verify an account. */
const VERIFICATION_SECONDS = 4

/** The account. Throws when there is none, or its owner revoked the platform's access. */
export async function getAccount(store: SandboxStore, id: string): Promise<SandboxAccount> {
  const row = await store.db.sandboxAccount.findUnique({ where: { id } })
  if (!row) throw notFoundFailure('account', id)
  if (row.state === 'DISCONNECTED')
    throw new SandboxFailure(403, {
      type: 'invalid_request_error',
      code: 'account_invalid',
      message:
        `The provided key does not have access to account '${id}' (or that account does not exist). ` +
        'Application access may have been revoked.',
    })
  return row
}

export async function createAccount(store: SandboxStore, form: URLSearchParams, key: string | null): Promise<object> {
  if (form.get('type') !== 'standard')
    throw invalidRequest('Only standard accounts can be made here.', 'parameter_unknown', { param: 'type' })
  const ids = key ? idsOfKey('acct', key) : [sandboxId('acct', 16)]
  const made = await store.db.sandboxAccount.findFirst({ where: { id: { in: ids } }, select: { id: true } })
  const id = made?.id ?? ids[0]!
  await store.db.sandboxAccount.createMany({
    data: [{ id, state: 'NEW', createdAt: store.now() }],
    skipDuplicates: true,
  })
  return accountObject(await getAccount(store, id), store.now())
}

export async function createAccountLink(store: SandboxStore, form: URLSearchParams): Promise<object> {
  const id = form.get('account') ?? ''
  const returnUrl = form.get('return_url')
  if (form.get('type') !== 'account_onboarding' || !returnUrl || !form.get('refresh_url'))
    throw invalidRequest('account_onboarding with return_url and refresh_url is needed.', 'parameter_missing')
  await getAccount(store, id)
  await store.db.sandboxAccount.update({ where: { id }, data: { returnUrl } })
  const created = Math.floor(store.now().getTime() / 1000)
  return {
    object: 'account_link',
    created,
    expires_at: created + 300,
    url: `${store.origin}/sandbox/cards/onboarding/${id}?token=${pageToken('onboarding', id)}`,
  }
}

export type Onboarding = { accountId: string; state: 'NEW' | 'VERIFYING' | 'ENABLED'; returnUrl: string }

/**
 * Finds the account that the onboarding page shows. null: the link's token is not valid, or the account is
 * disconnected.
 */
export async function findOnboarding(
  store: SandboxStore,
  accountId: string,
  token: string,
): Promise<Onboarding | null> {
  if (!isPageToken('onboarding', accountId, token)) return null
  const row = await store.db.sandboxAccount.findUnique({ where: { id: accountId } })
  if (!row || row.state === 'DISCONNECTED') return null
  const { charges_enabled: enabled } = accountObject(row, store.now())
  return {
    accountId,
    state: enabled ? 'ENABLED' : row.state === 'VERIFYING' ? 'VERIFYING' : 'NEW',
    returnUrl: row.returnUrl ?? `${store.origin}/dashboard/payments`,
  }
}

/**
 * The owner submits the onboarding form; verification starts and takes some seconds. null when the token is not valid.
 */
export async function submitOnboarding(
  store: SandboxStore,
  accountId: string,
  token: string,
): Promise<Onboarding | null> {
  if (!isPageToken('onboarding', accountId, token)) return null
  await store.transaction(async (tx) => {
    const verifiesAt = secondsFrom(tx.now(), VERIFICATION_SECONDS)
    const { count } = await tx.db.sandboxAccount.updateMany({
      where: { id: accountId, state: 'NEW' },
      data: { state: 'VERIFYING', verifiesAt },
    })
    if (count > 0) await recordAccountUpdate(tx, accountId)
  })
  return findOnboarding(store, accountId, token)
}

/** Enables accounts whose verification time has passed. */
export async function finishVerifications(store: SandboxStore): Promise<void> {
  const due = await store.db.sandboxAccount.findMany({
    where: { state: 'VERIFYING', verifiesAt: { lte: store.now() } },
    take: 100,
  })
  for (const { id } of due)
    await store.transaction(async (tx) => {
      const { count } = await tx.db.sandboxAccount.updateMany({
        where: { id, state: 'VERIFYING' },
        data: { state: 'ENABLED' },
      })
      if (count > 0) await recordAccountUpdate(tx, id)
    })
}

/** Enables an account without onboarding, for demo data. */
export async function enableAccount(store: SandboxStore, id: string): Promise<void> {
  await store.db.sandboxAccount.updateMany({
    where: { id, state: { in: ['NEW', 'VERIFYING'] } },
    data: { state: 'ENABLED' },
  })
}

/** The owner revokes the platform's access, as in the provider's own dashboard. */
export const deauthorizeAccount = (store: SandboxStore, id: string): Promise<void> =>
  store.transaction(async (tx) => {
    const { count } = await tx.db.sandboxAccount.updateMany({
      where: { id, state: { not: 'DISCONNECTED' } },
      data: { state: 'DISCONNECTED' },
    })
    if (count > 0)
      await recordSandboxEvent(tx, id, 'account.application.deauthorized', {
        id: 'ca_sandbox',
        object: 'application',
        name: 'Vitrine',
      })
  })

/** The provider disables the account's charges, as when it needs more information, or enables them again. */
export const restrictAccount = (store: SandboxStore, id: string, restricted: boolean): Promise<void> =>
  store.transaction(async (tx) => {
    const { count } = await tx.db.sandboxAccount.updateMany({
      where: { id, state: restricted ? 'ENABLED' : 'RESTRICTED' },
      data: { state: restricted ? 'RESTRICTED' : 'ENABLED' },
    })
    if (count > 0) await recordAccountUpdate(tx, id)
  })

async function recordAccountUpdate(store: SandboxStore, id: string): Promise<void> {
  const row = await store.db.sandboxAccount.findUniqueOrThrow({ where: { id } })
  await recordSandboxEvent(store, id, 'account.updated', accountObject(row, store.now()))
}
