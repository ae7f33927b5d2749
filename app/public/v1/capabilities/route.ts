import * as api from '@/lib/platform/api/history'
import { route, serve } from '@/lib/platform/http/serve'
import { listCapabilities } from '@/lib/offers/networks/get-capability'

export const { GET, POST, PUT, PATCH, DELETE, OPTIONS } = route(serve(api.listCapabilities, () => listCapabilities()))
