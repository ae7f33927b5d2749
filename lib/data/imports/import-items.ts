import type { Input, Output } from '../../platform/api/endpoint.ts'
import type { importItems as endpoint } from '../../platform/api/imports.ts'
import { type Context, assertPermission } from '../../platform/auth/context.ts'
import { withDefaultOptions } from './import-options.ts'
import { checkItems } from './check-items.ts'
import { contentOf, createImport } from './create-import.ts'
import { readTable } from './read-table.ts'

/** Checks a file of items and stores it as an import. Throws `import_invalid` for a file that can't be read. */
export async function importItems(
  ctx: Context,
  body: Input<typeof endpoint>['body'],
): Promise<Output<typeof endpoint>> {
  assertPermission(ctx, 'items:write')
  const options = withDefaultOptions({ collection_id: body.collection_id, item_type_id: body.item_type_id ?? null })
  return createImport(ctx, 'ITEMS', body, await checkItems(ctx, await readTable(contentOf(body)), options))
}
