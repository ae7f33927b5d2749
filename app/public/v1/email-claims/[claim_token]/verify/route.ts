import * as api from '@/lib/api/public-claims'
import { sendPin } from '@/lib/claims/send-pin'
import { route, serve } from '@/lib/http/serve'

export const { GET, POST, PUT, PATCH, DELETE, OPTIONS } = route(serve(api.sendPin, (ctx) => sendPin(ctx)))
