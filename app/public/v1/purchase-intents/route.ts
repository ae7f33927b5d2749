import * as api from '@/lib/platform/api/purchases'
import { route, serve } from '@/lib/platform/http/serve'
import { createPurchase } from '@/lib/selling/purchases/create-purchase'

export const { GET, POST, PUT, PATCH, DELETE, OPTIONS } = route(serve(api.createPurchaseIntent, createPurchase))
