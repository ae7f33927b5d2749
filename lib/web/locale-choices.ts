import * as api from '../platform/api/locale-choices.ts'
import { chooseClaimLocale } from '../giving/choose-claim-locale.ts'
import { chooseMemberLocale } from '../members/choose-member-locale.ts'
import { serve } from '../platform/http/serve.ts'
import { choosePurchaseLocale } from '../selling/purchases/choose-purchase-locale.ts'

export const handlers = {
  chooseClaimLocale: serve(api.chooseClaimLocale, (ctx, { body }) => chooseClaimLocale(ctx, body)),
  choosePurchaseLocale: serve(api.choosePurchaseLocale, (ctx, { params, body }) =>
    choosePurchaseLocale(ctx, params.purchase_intent_id, body),
  ),
  chooseMemberLocale: serve(api.chooseMemberLocale, (ctx, { body }) => chooseMemberLocale(ctx, body.locale)),
}
