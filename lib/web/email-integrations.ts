import * as api from '../platform/api/email-integrations.ts'
import { activateEmailIntegration } from '../messaging/email-integrations/activate-email-integration.ts'
import { createEmailIntegration } from '../messaging/email-integrations/create-email-integration.ts'
import { deleteEmailIntegration } from '../messaging/email-integrations/delete-email-integration.ts'
import { deleteSuppression } from '../messaging/email-integrations/delete-suppression.ts'
import { getEmailIntegration } from '../messaging/email-integrations/get-email-integration.ts'
import { listEmailIntegrations } from '../messaging/email-integrations/list-email-integrations.ts'
import { listSuppressions } from '../messaging/email-integrations/list-suppressions.ts'
import { sendTestMail } from '../messaging/email-integrations/send-test-mail.ts'
import { updateEmailIntegration } from '../messaging/email-integrations/update-email-integration.ts'
import { serve } from '../platform/http/serve.ts'

export const handlers = {
  listEmailIntegrations: serve(api.listEmailIntegrations, (ctx, { query }) => listEmailIntegrations(ctx, query)),
  createEmailIntegration: serve(api.createEmailIntegration, (ctx, { body }) => createEmailIntegration(ctx, body)),
  getEmailIntegration: serve(api.getEmailIntegration, (ctx, { params }) =>
    getEmailIntegration(ctx, params.integration_id),
  ),
  updateEmailIntegration: serve(api.updateEmailIntegration, (ctx, { params, body }) =>
    updateEmailIntegration(ctx, params.integration_id, body),
  ),
  deleteEmailIntegration: serve(api.deleteEmailIntegration, (ctx, { params }) =>
    deleteEmailIntegration(ctx, params.integration_id),
  ),
  activateEmailIntegration: serve(api.activateEmailIntegration, (ctx, { params }) =>
    activateEmailIntegration(ctx, params.integration_id),
  ),
  sendTestMail: serve(api.sendTestMail, (ctx, { params, body }) => sendTestMail(ctx, params.integration_id, body)),
  listSuppressions: serve(api.listSuppressions, (ctx, { query }) => listSuppressions(ctx, query)),
  deleteSuppression: serve(api.deleteSuppression, (ctx, { params }) => deleteSuppression(ctx, params.suppression_id)),
}
