export const dynamic = 'force-dynamic'

/** Liveness: this process responds. */
export const GET = () => Response.json({ live: true }, { headers: { 'cache-control': 'no-store' } })
