import * as api from '@/lib/api/history'
import { route, serve } from '@/lib/http/serve'
import { listCapabilities } from '@/lib/networks/get-capability'

export const { GET, POST, PUT, PATCH, DELETE, OPTIONS } = route(serve(api.listCapabilities, () => listCapabilities()))
