import { randomUUID } from 'node:crypto'
import type { APIRequestContext, Page } from '@playwright/test'
import { expect } from '@playwright/test'
import pg from 'pg'
import { mailTo, stack } from './stack.ts'

/** An organization that has just begun, with its owner (or whoever is wanted); nobody else's purchases or settings come in its way. */
export async function makeNewcomer({
  role = 'OWNER' as 'OWNER' | 'ADMIN' | 'EDITOR' | 'VIEWER',
  name = 'The River Society',
} = {}): Promise<{ organizationId: string; email: string }> {
  const [organizationId, userId] = [randomUUID(), randomUUID()]
  const email = `owner-${organizationId}@example.com`
  const database = new pg.Client({ connectionString: stack().database_url })
  await database.connect()
  await database.query('INSERT INTO organizations (id, name, updated_at) VALUES ($1, $2, now())', [
    organizationId,
    name,
  ])
  await database.query('INSERT INTO users (id, email) VALUES ($1, $2)', [userId, email])
  await database.query(
    'INSERT INTO members (id, organization_id, user_id, role, joined_at) VALUES ($1, $2, $3, $4, now())',
    [randomUUID(), organizationId, userId, role],
  )
  await database.end()
  return { organizationId, email }
}

/** Signs in as a person does: asks for a link, opens it from the mail. */
export async function signIn(page: Page, email = stack().admin_email): Promise<void> {
  const before = new Date()
  await page.goto('/dashboard')
  await expect(page).toHaveURL(/\/sign-in$/)
  await page.getByLabel('Email').fill(email)
  await page.getByRole('button', { name: 'Send me a link' }).click()
  await expect(page.getByRole('heading', { name: 'Check your mail' })).toBeVisible()
  // In the language of the browser.
  const { text } = await mailTo(email, /sign in|anmeld|connecter/i, before)
  await openSignInLink(page, text)
  await expect(page).toHaveURL(/\/dashboard$/)
}

/** Opens the sign-in link of a mail's text and presses its button. */
export async function openSignInLink(page: Page, text: string): Promise<void> {
  await page.goto(/https?:\/\/\S+\/sign-in\/confirm\S+/.exec(text)![0])
  await page.getByRole('button', { name: 'Open the dashboard' }).click()
}

/** An operation of the administrative interface with the session of whoever is signed in, as the dashboard's own pages may. */
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
