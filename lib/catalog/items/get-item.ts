import type { Context } from '../../platform/auth/context.ts'
import { readHot } from '../../platform/http/hot/hot-read.ts'
import { readAdminItem } from './find-admin-items.ts'
import { publicItem } from './public-item.ts'
import { adminItemOf } from './show-item.ts'

export const getItem = async (ctx: Context, id: string) =>
  adminItemOf(await readAdminItem(ctx, id), ctx.ports.addresses.origin)

/** As an anonymous reader sees it: only a locked item of a deployed, public collection is found. */
export const getPublicItem = (ctx: Context, id: string) => readHot(ctx, publicItem, { params: { item_id: id } })
