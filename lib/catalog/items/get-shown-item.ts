import { asDeployed } from '../../platform/auth/authenticate.ts'
import type { Context } from '../../platform/auth/context.ts'
import { notFound } from '../../core/errors.ts'
import { type Attributes, shownAttributesOf, titleOf, withCollection } from './show-item.ts'

/**
 * Gives the title and attributes of a token's item that anyone may see, for its generated picture. Private collections
 * too: their tokens are on a public chain.
 */
export async function getShownItem(ctx: Context, id: string): Promise<{ title: string; attributes: Attributes }> {
  const row = await asDeployed(ctx).db.item.findFirst({ where: { id }, ...withCollection })
  if (!row) throw notFound()
  const attributes = shownAttributesOf(row)
  return { title: titleOf(attributes), attributes }
}
