import type { Input, Output } from '../../platform/api/endpoint.ts'
import type { importEmailClaims as endpoint } from '../../platform/api/imports.ts'
import { type Context, assertPermission } from '../../platform/auth/context.ts'
import { withDefaultOptions } from './import-options.ts'
import { checkClaims } from './check-claims.ts'
import { contentOf, createImport } from './create-import.ts'
import { readTable } from './read-table.ts'

/**
 * Checks a file of claims and stores it as an import. Mails are sent only once it is started. Throws `import_invalid`
 * for a file that can't be read.
 */
export async function importClaims(
  ctx: Context,
  body: Input<typeof endpoint>['body'],
): Promise<Output<typeof endpoint>> {
  assertPermission(ctx, 'email_claims:write')
  const { collection_id = null, item_id = null, campaign_id = null, tx_payer = null, ignore_columns } = body
  return createImport(
    ctx,
    'EMAIL_CLAIMS',
    body,
    await checkClaims(
      ctx,
      await readTable(contentOf(body)),
      withDefaultOptions({ collection_id, item_id, campaign_id, tx_payer, ignore_columns: ignore_columns ?? [] }),
    ),
  )
}
