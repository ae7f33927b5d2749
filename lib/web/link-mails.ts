import * as api from '../platform/api/link-mails.ts'
import { serve } from '../platform/http/serve.ts'
import { askForLinks } from '../selling/mailbox/ask-for-links.ts'

export const handlers = { mailLinks: serve(api.mailLinks, (ctx, { body }) => askForLinks(ctx, body)) }
