import type { Context } from '../platform/auth/context.ts'
import type { Statement } from '../db/statements.ts'

export const READ_NAME: Statement = {
  name: 'name_of_organization',
  text: 'SELECT name, locale FROM organizations WHERE id = $1::uuid',
}

/** The organization's name in its mails, and their language where nothing else is known. */
export type MailedOrganization = { name: string; locale: string | null }

export async function mailedOrganization(ctx: Pick<Context, 'rows' | 'organizationId'>): Promise<MailedOrganization> {
  const [organization] = await ctx.rows<MailedOrganization>(READ_NAME, ctx.organizationId)
  return organization!
}

export async function organizationNameOf(ctx: Pick<Context, 'rows' | 'organizationId'>): Promise<string> {
  return (await mailedOrganization(ctx)).name
}
