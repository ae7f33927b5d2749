import { endpoints } from '@/lib/platform/api/index'
import { openapi } from '@/lib/platform/api/openapi'
import { env } from '@/lib/core/env'

export const dynamic = 'force-dynamic' // ORIGIN is known at start, not at build time

export const GET = () =>
  Response.json(openapi(endpoints, 'admin', env.ORIGIN), {
    headers: { 'access-control-allow-origin': '*', 'cache-control': 'public, max-age=300' },
  })
