import * as api from '../platform/api/email-templates.ts'
import * as wordsApi from '../platform/api/email-words.ts'
import { deleteTemplate } from '../messaging/templates/delete-template.ts'
import { getEmailWords } from '../messaging/templates/get-email-words.ts'
import { getTemplate } from '../messaging/templates/get-template.ts'
import { listTemplates } from '../messaging/templates/list-templates.ts'
import { listVariables } from '../messaging/templates/list-variables.ts'
import { previewForRecipient } from '../giving/preview-for-recipient.ts'
import { previewTemplate } from '../messaging/templates/preview-template.ts'
import { saveTemplate } from '../messaging/templates/save-template.ts'
import { sendTestTemplate } from '../messaging/templates/send-test-template.ts'
import { updateEmailWords } from '../messaging/templates/update-email-words.ts'
import { serve } from '../platform/http/serve.ts'

export const handlers = {
  getEmailWords: serve(wordsApi.getEmailWords, (ctx) => getEmailWords(ctx)),
  updateEmailWords: serve(wordsApi.updateEmailWords, (ctx, { body }) => updateEmailWords(ctx, body)),
  listTemplates: serve(api.listTemplates, (ctx, { query }) => listTemplates(ctx, query)),
  getTemplate: serve(api.getTemplate, (ctx, { params, query }) => getTemplate(ctx, params.template_type, query)),
  saveTemplate: serve(api.saveTemplate, (ctx, { params, query, body }) =>
    saveTemplate(ctx, params.template_type, query, body),
  ),
  deleteTemplate: serve(api.deleteTemplate, (ctx, { params, query }) =>
    deleteTemplate(ctx, params.template_type, query),
  ),
  previewTemplate: serve(api.previewTemplate, (ctx, { params, query, body }) =>
    body.claim_id
      ? previewForRecipient(ctx, params.template_type, query, { ...body, claim_id: body.claim_id })
      : previewTemplate(ctx, params.template_type, query, body),
  ),
  sendTestTemplate: serve(api.sendTestTemplate, (ctx, { params, query, body }) =>
    sendTestTemplate(ctx, params.template_type, query, body),
  ),
  listVariables: serve(api.listVariables, (ctx, { params }) => listVariables(ctx, params.template_type)),
}
