import { isDatabaseUp } from '@/lib/platform/http/is-database-up'

export const dynamic = 'force-dynamic'

/** Readiness: 503 while the database doesn't answer, which is all that this process needs itself. */
export async function GET(): Promise<Response> {
  const up = await isDatabaseUp()
  return Response.json(
    { ready: up, database: { up } },
    { status: up ? 200 : 503, headers: { 'cache-control': 'no-store' } },
  )
}
