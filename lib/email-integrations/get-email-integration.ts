import type { Output } from '../api/endpoint.ts'
import type { getEmailIntegration as endpoint } from '../api/email-integrations.ts'
import type { Context } from '../auth/context.ts'
import { readEmailIntegration } from './read-email-integration.ts'
import { emailIntegrationOf } from './show-email-integration.ts'

export const getEmailIntegration = async (ctx: Context, id: string): Promise<Output<typeof endpoint>> => emailIntegrationOf(ctx, await readEmailIntegration(ctx, id))
