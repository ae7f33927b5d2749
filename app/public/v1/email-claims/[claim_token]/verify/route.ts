import * as api from '@/lib/platform/api/public-claims'
import { sendPin } from '@/lib/giving/send-pin'
import { route, serve } from '@/lib/platform/http/serve'

export const { GET, POST, PUT, PATCH, DELETE, OPTIONS } = route(serve(api.sendPin, (ctx) => sendPin(ctx)))
