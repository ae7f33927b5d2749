export const dynamic = 'force-dynamic'

/** This process answers. */
export const GET = () => Response.json({ live: true }, { headers: { 'cache-control': 'no-store' } })
