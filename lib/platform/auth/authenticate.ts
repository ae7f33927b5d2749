import { createHash } from 'node:crypto'
import type { PurchaseIntent } from '../../../generated/prisma/client.ts'
import type { Auth } from '../api/endpoint.ts'
import { ROLE_PERMISSIONS } from '../api/permissions.ts'
import { now } from '../../core/clock.ts'
import { AppError, notFound } from '../../core/errors.ts'
import { env } from '../../core/env.ts'
import { isUuid, newId } from '../../core/id.ts'
import { isHmacOf, sameBytes } from '../../core/secrets.ts'
import { KeyMissing } from '../../core/server-keys.ts'
import { systemClient } from '../../db/client.ts'
import { columns, type RowOf } from '../../db/columns.ts'
import type { Lease } from '../../db/leases.ts'
import { publishedScope } from '../../db/published-scope.ts'
import { organizationScope, type Scope, systemScope } from '../../db/scope.ts'
import type { Statement } from '../../db/statements.ts'
import { ports } from '../../ports/ports.ts'
import { noteOrganization } from '../http/open-requests.ts'
import type { RequestHead } from '../http/request-head.ts'
import { type Actor, type Context, isTestKey, withScope, type SystemContext } from './context.ts'
import { ORGANIZATION_COOKIE, pinProofCookie, SESSION_COOKIE } from './cookies.ts'
import { findKey, unauthenticated } from './find-key.ts'
import { findSession, type Membership } from './find-session.ts'

export type Caller = {
  requestId: string
  clientAddress: string
  signal?: AbortSignal | undefined
  endTurn?: (() => void) | undefined
}

/** For the contexts of this folder. */
export function contextOf(caller: Caller, organizationId: string, actor: Actor): Context {
  noteOrganization(organizationId)
  return {
    sees: 'organization',
    ...scopeOf(caller, organizationId, actor),
    ...caller,
    organizationId,
    actor,
    now,
    ports: ports(),
  }
}

/** A TEST key's request is kept from LIVE rows in each of its transactions. */
function scopeOf({ signal }: Caller, organizationId: string, actor: Actor): Scope {
  if (!organizationId) return publishedScope({ listed: true, signal })
  const mode = isTestKey(actor) ? 'TEST' : undefined
  return organizationScope(organizationId, { mode, signal, together: actor.type === 'api_key' })
}

/**
 * Authenticates an HTTP request. Throws unauthenticated, or not found for a claim token that was never issued.
 * `params`: of the path, and the query's secret of a purchase.
 */
export async function authenticate(
  auth: Auth,
  request: RequestHead,
  params: Record<string, string>,
  caller: Caller,
): Promise<Context> {
  switch (auth) {
    case 'none':
    case 'anonymous':
      return contextOf(caller, '', { type: 'anonymous' })
    case 'claim_token':
      return claimContext(params.claim_token ?? '', caller, request)
    case 'purchase_secret':
      return purchaseContext(params.purchase_intent_id ?? '', params.secret ?? '', caller)
    case 'api_key':
      return (await keyContext(request, caller)) ?? (await sessionContext(request, caller))
  }
}

/** The context of a public reader who also sees private collections, for data that is public on the chain anyway. */
export const asDeployed = (ctx: Context): Context =>
  withScope(ctx, publishedScope({ listed: false, signal: ctx.signal }))

const SECRET = /^[A-Za-z0-9_-]{43}$/

const ISSUED = columns('t', 'ClaimToken', ['claimId', 'organizationId', 'generation', 'serverKeyId'])
type Issued = RowOf<typeof ISSUED>
const FIND_CLAIM: Statement = {
  name: 'find_claim_token',
  text: `SELECT ${ISSUED} FROM claim_tokens t WHERE hash = $1::bytea`,
}

/**
 * Accepts every token that was issued with a key that is still listed; what it may still do is up to the verbs.
 * `request`: whose cookie may prove the claim's PIN.
 */
export async function claimContext(token: string, caller: Caller, request?: RequestHead): Promise<Context> {
  const [issued] = await systemScope().rows<Issued>(FIND_CLAIM, claimTokenHashOf(token))
  if (!issued) throw notFound()
  assertIssued(token, issued)
  const { claimId: id, generation, organizationId } = issued
  const pinProof = request && cookieOf(request, pinProofCookieOf(token))
  return contextOf(caller, organizationId, { type: 'claim', id, generation, ...(pinProof && { pinProof }) })
}

/** The name of the cookie that proves the PIN of the claim whose link has this token. */
export const pinProofCookieOf = (token: string): string =>
  pinProofCookie(Buffer.from(claimTokenHash(token)).toString('hex', 0, 8))

/** The hash by which the token of a link is found. Throws `not_found` for a text that can't be a token. */
export function claimTokenHashOf(token: string): Uint8Array<ArrayBuffer> {
  if (!SECRET.test(token)) throw notFound()
  return claimTokenHash(token)
}

/** The fields of a stored token that say which link it is of. */
export type IssuedLink = Pick<Issued, 'claimId' | 'generation' | 'serverKeyId'>

/** Throws `KeyMissing` for a token of a key that isn't listed any more. */
export function assertIssued(token: string, { claimId, generation, serverKeyId }: IssuedLink): void {
  if (!isHmacOf(Buffer.from(token, 'base64url'), 'claim-token', claimId, generation))
    throw new KeyMissing('This link', serverKeyId, 'Ask the sender for a new one.')
}

/** Tokens are stored as this hash only. */
export const claimTokenHash = (token: string): Uint8Array<ArrayBuffer> =>
  new Uint8Array(createHash('sha256').update(token).digest())

/**
 * The context of a buyer in the organization whose listing they buy from. `together`: rows that are asked for at the
 * same time are read in one round trip.
 */
export const buyerContext = (ctx: Context, organizationId: string, { together = false } = {}): Context =>
  withScope(ctx, organizationScope(organizationId, { signal: ctx.signal, together }), organizationId)

/** The holder of a purchase's secret. With a wrong secret the answer is the same as for an unknown purchase. */
async function purchaseContext(id: string, secret: string, caller: Caller): Promise<Context> {
  if (!isUuid(id) || !SECRET.test(secret)) throw notFound()
  const row = await systemClient().purchaseIntent.findUnique({
    where: { id },
    select: { id: true, organizationId: true, secretHash: true, secretGeneration: true, serverKeyId: true },
  })
  if (!row || !sameBytes(row.secretHash, purchaseSecretHash(secret))) throw notFound()
  if (!isHmacOf(Buffer.from(secret, 'base64url'), 'purchase-secret', ...purchaseSecretParts(row)))
    throw new KeyMissing('This link', row.serverKeyId)
  return contextOf(caller, row.organizationId, { type: 'purchase', id: id.toLowerCase() })
}

/** The holder of a purchase's secret, for an operation that also takes another proof than the secret. */
export const purchaseHolderContext = (ctx: Context, id: string, secret: string): Promise<Context> =>
  purchaseContext(id, secret, { requestId: ctx.requestId, clientAddress: ctx.clientAddress, signal: ctx.signal })

/** A purchase's organization, for whoever has yet to prove that the purchase is theirs. Throws not found. */
export async function unprovedPurchaseContext(ctx: Context, id: string): Promise<Context> {
  const row = isUuid(id)
    ? await systemClient().purchaseIntent.findUnique({ where: { id }, select: { organizationId: true } })
    : null
  if (!row) throw notFound()
  return buyerContext(ctx, row.organizationId)
}

/** The values that a purchase's secret is derived from. */
export const purchaseSecretParts = ({ id, secretGeneration }: Pick<PurchaseIntent, 'id' | 'secretGeneration'>) =>
  secretGeneration > 0 ? [id, secretGeneration] : [id]

export const purchaseSecretHash = (secret: string): Uint8Array<ArrayBuffer> =>
  new Uint8Array(createHash('sha256').update(secret).digest())

/** A transfer's organization, for whoever has its id. Throws not found. */
export async function transferContext(ctx: Context, id: string): Promise<Context> {
  const row = await systemClient().signedTransfer.findUnique({ where: { id }, select: { organizationId: true } })
  if (!row) throw notFound()
  return buyerContext(ctx, row.organizationId)
}

async function keyContext(request: RequestHead, caller: Caller): Promise<Context | null> {
  const found = await findKey(request)
  return found && contextOf(caller, found.organizationId, found.actor)
}

/** A cookie's value; undefined where there is none, or none that can be decoded. */
function cookieOf(request: RequestHead, name: string): string | undefined {
  const pairs = request.headers.get('cookie')?.split(/; */)
  const value = pairs?.find((pair) => pair.startsWith(`${name}=`))?.slice(name.length + 1)
  try {
    return value && decodeURIComponent(value)
  } catch {
    return undefined
  }
}

/** The dashboard's own pages may call operations with their session, from the same origin only. */
async function sessionContext(request: RequestHead, caller: Caller): Promise<Context> {
  const token = cookieOf(request, SESSION_COOKIE)
  const chosen = cookieOf(request, ORGANIZATION_COOKIE)
  const ctx = token && isSameOrigin(request) ? await memberContext(token, caller, chosen) : null
  if (!ctx) throw unauthenticated()
  return ctx
}

/** Whether one of our own pages sent a request, as its browser says. */
export function isSameOrigin(request: RequestHead): boolean {
  const origin = request.headers.get('origin')
  return origin === null ? request.headers.get('sec-fetch-site') === 'same-origin' : origin === env.ORIGIN
}

/**
 * Somebody with a session, and where they are a member; `needsPasskey` when the organization's dashboard opens for
 * sessions that a passkey made, and this is none. `locale`: the language that the person chose.
 */
export type Visit = { ctx: Context; memberships: Membership[]; needsPasskey: boolean; locale: string | null }

export type SignedIn = { userId: string; email: string }

/** The person behind a dashboard session, who may be a member nowhere; null when the session has ended. */
export async function findSignedIn(sessionToken: string): Promise<SignedIn | null> {
  const session = await findSession(sessionToken)
  return session && { userId: session.userId, email: session.email }
}

/**
 * The member behind a dashboard session: in the selected organization, else in the one they joined first; null when the
 * session has ended or they are a member nowhere. The first session accepts an invitation. Throws `passkey_required`.
 */
export async function memberContext(sessionToken: string, caller: Caller, chosen?: string): Promise<Context | null> {
  const visit = await findVisit(sessionToken, caller, chosen)
  if (visit?.needsPasskey)
    throw new AppError(
      'passkey_required',
      'This organization asks for a passkey. Open the dashboard to sign in with one.',
    )
  return visit?.ctx ?? null
}

/**
 * The visit behind a dashboard session, as `memberContext` finds it, but also of a member who needs a passkey: such a
 * member has no permissions yet. For the pages that lead to a passkey.
 */
export async function findVisit(sessionToken: string, caller: Caller, chosen?: string): Promise<Visit | null> {
  const session = await findSession(sessionToken)
  if (!session) return null
  if (!session.lastUsedAt || now().getTime() - session.lastUsedAt.getTime() > 60_000)
    await systemClient().session.updateMany({ where: { id: session.id }, data: { lastUsedAt: now() } })
  const { memberships } = session
  const member =
    memberships.find(({ organizationId }) => organizationId === chosen) ??
    memberships.find(({ joinedAt }) => joinedAt !== null) ??
    memberships[0]
  if (!member) return null
  if (!member.joinedAt) await join(member, caller)
  const needsPasskey = session.passkeyId === null && member.requiresPasskeys
  const ctx = contextOf(caller, member.organizationId, {
    type: 'member',
    id: member.id,
    userId: session.userId,
    email: session.email,
    permissions: needsPasskey ? [] : ROLE_PERMISSIONS[member.role],
    session: { id: session.id, signedInAt: session.createdAt, passkeyId: session.passkeyId },
  })
  return { ctx, memberships, needsPasskey, locale: session.locale }
}

const join = ({ id, organizationId }: { id: string; organizationId: string }, { requestId, clientAddress }: Caller) =>
  systemScope().transaction(async ({ db }) => {
    const { count } = await db.member.updateMany({
      where: { id, joinedAt: null, removedAt: null },
      data: { joinedAt: now() },
    })
    if (count === 0) return
    const subject = { actorType: 'member', actorId: id, action: 'member.joined', subjectType: 'member', subjectId: id }
    await db.auditEntry.create({
      data: {
        id: newId(),
        organizationId,
        ...subject,
        requestId,
        clientAddress: clientAddress || null,
        createdAt: now(),
      },
    })
  })

/** For the seed and for tests: one organization, with all permissions. */
export const organizationContext = (
  organizationId: string,
  requestId = 'system',
  actor: Actor = { type: 'system' },
): Context => contextOf({ requestId, clientAddress: '' }, organizationId, actor)

/**
 * For the worker and scripts: every organization's rows. With the lease of a task, nothing can be written through it,
 * or through `within`, once another process has taken the task over.
 */
export const systemContext = (requestId = 'worker', { lease }: { lease?: Lease } = {}): SystemContext => ({
  ...systemScope(lease),
  sees: 'everything',
  requestId,
  clientAddress: '',
  actor: { type: 'system' },
  now,
  ports: ports(),
})
