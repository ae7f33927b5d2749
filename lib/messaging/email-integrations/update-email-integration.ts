import type { Input, Output } from '../../platform/api/endpoint.ts'
import { MAIL_SECRETS, type updateEmailIntegration as endpoint } from '../../platform/api/email-integrations.ts'
import { recordAudit } from '../../records/audit/record-audit.ts'
import { onProtectedChange } from '../on-protected-change.ts'
import { type Context, inTransaction } from '../../platform/auth/context.ts'
import { fieldError } from '../../core/errors.ts'
import {
  assertConfigChanges,
  columnsOf,
  type Config,
  isSecret,
  plainConfigOf,
  readableSecretsOf,
  withoutBlankSecrets,
} from './integration-config.ts'
import { lockEmailIntegration } from './lock-email-integration.ts'
import { auditedOf, emailIntegrationOf } from './show-email-integration.ts'

/** Settings that don't affect whether mail can be sent, so changing them needs no new activation. */
const NEEDS_NO_TEST: readonly string[] = ['email_reply_to', 'webhook_signing_key']

/**
 * Changes some settings. A secret left out or blank stays. A change that affects sending sets the integration back to
 * PENDING.
 */
export async function updateEmailIntegration(
  ctx: Context,
  id: string,
  body: Input<typeof endpoint>['body'],
): Promise<Output<typeof endpoint>> {
  const { provider, config: nested = {}, ...flat } = body
  return inTransaction(ctx, async (tx) => {
    const row = await lockEmailIntegration(tx, id)
    if (provider && provider !== row.provider)
      throw fieldError(
        'email_config_invalid',
        'provider',
        `This integration is ${row.provider}, which can’t change. Delete it and make a new one.`,
      )
    assertConfigChanges(row.provider, flat, '')
    assertConfigChanges(row.provider, nested, 'config.')
    const before: Config = { ...plainConfigOf(row), ...readableSecretsOf(row) }
    const given = withoutBlankSecrets(row.provider, { ...flat, ...nested })
    const full = { ...before, ...given }
    const [needed] = MAIL_SECRETS[row.provider]
    if (!full[needed])
      throw fieldError('invalid_request', needed, 'This secret can’t be read any more. Give it anew.', 'required')
    const changed = Object.keys(given).filter((name) => (given[name] ?? null) !== (before[name] ?? null))
    const reset = changed.every((name) => NEEDS_NO_TEST.includes(name))
      ? {}
      : ({ status: 'PENDING', lastError: null, activatedAt: null } as const)
    const after = await tx.db.emailIntegration.update({
      where: { id },
      data: { ...columnsOf(id, row.provider, full), ...reset },
    })
    const renewed = changed.filter((name) => isSecret(row.provider, name))
    await onProtectedChange(tx, { what: 'mailChanged' })
    await recordAudit(tx, {
      action: 'email_integration.updated',
      subject: { type: 'email_integration', id },
      before: auditedOf(row),
      after: { ...auditedOf(after), ...(renewed.length > 0 && { renewed }) },
    })
    return emailIntegrationOf(tx, after)
  })
}
