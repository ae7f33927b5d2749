import type { Context } from '../../platform/auth/context.ts'
import type { Statement } from '../../db/statements.ts'

type ItemTypeChoice = { id: string; name: string; schema: Record<string, unknown> }

const CHOICES: Statement = {
  name: 'item_type_choices',
  text: 'SELECT id, name, schema FROM item_types WHERE organization_id = $1::uuid ORDER BY id DESC LIMIT 100',
}

/** The newest item types that a form offers, without their number and use. */
export const listItemTypeChoices = (ctx: Context): Promise<ItemTypeChoice[]> =>
  ctx.rows<ItemTypeChoice>(CHOICES, ctx.organizationId)
