import type { Output } from '../../platform/api/endpoint.ts'
import type { getEmailIntegration as endpoint } from '../../platform/api/email-integrations.ts'
import type { Context } from '../../platform/auth/context.ts'
import { readEmailIntegration } from './read-email-integration.ts'
import { emailIntegrationOf } from './show-email-integration.ts'

export const getEmailIntegration = async (ctx: Context, id: string): Promise<Output<typeof endpoint>> =>
  emailIntegrationOf(ctx, await readEmailIntegration(ctx, id))
