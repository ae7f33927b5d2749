import type { Voucher } from '../../../generated/prisma/client.ts'
import type { Input } from '../../platform/api/endpoint.ts'
import type { listMintVouchers as endpoint } from '../../platform/api/mint-vouchers.ts'
import type { Context } from '../../platform/auth/context.ts'
import { byId, paginate } from '../../core/paginate.ts'
import { totalById } from '../../records/counts/total-of.ts'
import { voucherEntryOf } from './show-voucher.ts'

/** The vouchers an address can still send. */
export function listVouchers(ctx: Context, minter: string, query: Input<typeof endpoint>['query']) {
  const where = {
    minter,
    state: 'PENDING' as const,
    expiry: { gt: BigInt(Math.floor(ctx.now().getTime() / 1000)) },
    ...(query.contract_address && { contract: query.contract_address }),
    ...(query.network_id != null && { networkId: query.network_id }),
  }
  return paginate(query, {
    list: ['vouchers', null, minter],
    key: (row: Voucher) => row.id,
    find: (range) => {
      const { where: after, ...rest } = byId(range)
      return ctx.db.voucher.findMany({ where: { ...where, ...after }, ...rest })
    },
    count: () => totalById(ctx, 'vouchers', where, (args) => ctx.db.voucher.count(args)),
    show: voucherEntryOf,
  })
}
