import { endpoints } from '@/lib/platform/api/index'
import { openapi } from '@/lib/platform/api/openapi'
import { env } from '@/lib/core/env'
import { answerKept } from '@/lib/platform/http/kept-document'

export const dynamic = 'force-dynamic' // ORIGIN is known at start, not at build time

export const GET = (request: Request) =>
  answerKept(request, {
    name: 'public.json',
    type: 'application/json',
    make: () => JSON.stringify(openapi(endpoints, 'public', env.ORIGIN)),
  })
