import type { MetadataRoute } from 'next'
import { env } from '@/lib/core/env'

export const dynamic = 'force-dynamic'

/** Pages that nobody should find say so themselves; sites that preview a claim's link have to be able to read it. */
export default function robots(): MetadataRoute.Robots {
  return { rules: { userAgent: '*', disallow: ['/dashboard', '/sign-in'] }, sitemap: `${env.ORIGIN}/sitemap.xml` }
}
