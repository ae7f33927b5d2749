import type { Context } from '../../platform/auth/context.ts'
import { readWebhook } from './read-webhook.ts'
import { webhookOf } from './show-webhook.ts'

export const getWebhook = async (ctx: Context, id: string) => webhookOf(ctx, await readWebhook(ctx, id))
