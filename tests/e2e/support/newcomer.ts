import { createHash, randomUUID } from 'node:crypto'
import type { APIRequestContext, Page } from '@playwright/test'
import { expect } from '@playwright/test'
import { inDatabase } from './database.ts'
import { mailTo, stack } from './stack.ts'

type Role = 'OWNER' | 'ADMIN' | 'EDITOR' | 'VIEWER'
type Newcomer = { organizationId: string; email: string }

/**
 * An organization that has just begun, with its owner (or whoever is wanted); nobody else's purchases or settings come
 * in its way.
 */
export async function makeNewcomer({ role = 'OWNER' as Role, name = 'The River Society' } = {}): Promise<Newcomer> {
  const organizationId = randomUUID()
  await inDatabase('INSERT INTO organizations (id, name, updated_at) VALUES ($1, $2, now())', [organizationId, name])
  return addMember(organizationId, role)
}

/** A member of the organization, with a mailbox that nobody else reads. */
async function addMember(organizationId: string, role: Role): Promise<Newcomer> {
  const userId = randomUUID()
  const email = `owner-${userId}@example.com`
  await inDatabase('INSERT INTO users (id, email) VALUES ($1, $2)', [userId, email])
  await inDatabase(
    'INSERT INTO members (id, organization_id, user_id, role, joined_at) VALUES ($1, $2, $3, $4, now())',
    [randomUUID(), organizationId, userId, role],
  )
  return { organizationId, email }
}

const SESSION_COOKIE = 'next-auth.session-token'

/**
 * Gives a page's browser a new session of a person, as if they had signed in. Without an address, it is a new owner of
 * the stack's organization.
 */
export async function signIn(page: Page, email?: string): Promise<void> {
  const mailbox = email ?? (await addMember(stack().organization_id, 'OWNER')).email
  const token = randomUUID()
  const hash = createHash('sha256').update(token).digest()
  await inDatabase(
    `INSERT INTO sessions (id, token_hash, user_id, expires)
     SELECT $1, $2, id, now() + interval '1 day' FROM users WHERE email = $3`,
    [randomUUID(), hash, mailbox],
  )
  await page
    .context()
    .addCookies([{ name: SESSION_COOKIE, value: token, url: stack().origin, httpOnly: true, sameSite: 'Lax' }])
}

/**
 * Signs in as a person does: asks for a link, opens it from the mail. Without an address, it is a new owner of the
 * stack's organization: a test that shared a mailbox with another could open the other's link. Gives the address.
 */
export async function signInByMail(page: Page, email?: string): Promise<string> {
  const mailbox = email ?? (await addMember(stack().organization_id, 'OWNER')).email
  const before = new Date()
  await page.goto('/dashboard')
  await expect(page).toHaveURL(/\/sign-in$/)
  await page.getByLabel('Email').fill(mailbox)
  await page.getByRole('button', { name: 'Send me a link' }).click()
  await expect(page.getByRole('heading', { name: 'Check your mail' })).toBeVisible()
  // In the language of the browser.
  const { text } = await mailTo(mailbox, /sign in|anmeld|connecter/i, before)
  await openSignInLink(page, text)
  await expect(page).toHaveURL(/\/dashboard$/)
  return mailbox
}

/** Makes all sessions of a person eleven minutes older: too old for protected changes. */
export async function ageSessions(email: string): Promise<void> {
  await inDatabase(
    "UPDATE sessions SET created_at = created_at - interval '11 minutes' WHERE user_id = (SELECT id FROM users WHERE email = $1)",
    [email],
  )
}

/** Opens the sign-in link of a mail's text and presses its button. */
export async function openSignInLink(page: Page, text: string): Promise<void> {
  await page.goto(/https?:\/\/\S+\/sign-in\/confirm\S+/.exec(text)![0])
  await page.getByRole('button', { name: 'Open the dashboard' }).click()
}

/**
 * An operation of the administrative interface with the session of whoever is signed in, as the dashboard's own pages
 * may.
 */
export async function asMember<Answer>(
  request: APIRequestContext,
  method: 'GET' | 'POST',
  path: string,
  body?: unknown,
): Promise<Answer> {
  const response = await request.fetch(`/v1${path}`, {
    method,
    headers: { origin: stack().origin },
    ...(body !== undefined && { data: body }),
  })
  expect(response.ok(), `${method} ${path}: ${response.status()} ${await response.text()}`).toBe(true)
  return (await response.json()) as Answer
}
