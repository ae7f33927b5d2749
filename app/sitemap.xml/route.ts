import { anyone } from '@/app/claim/anyone'
import { sitemapAnswer } from '@/app/sitemaps/sitemap-answer'
import { listPublishedCollectionIds } from '@/lib/catalog/collections/list-published-ids'

/** The most sitemaps that search engines read of one index. */
const MOST = 50_000

/** The sitemaps that there are: one of the collections, and one of each collection's items. */
export const GET = (request: Request): Promise<Response> =>
  sitemapAnswer(request, 'sitemapindex', async () => {
    const ids = await listPublishedCollectionIds(await anyone())
    return ['/sitemaps/collections.xml', ...ids.slice(0, MOST - 1).map((id) => `/sitemaps/${id}.xml`)]
  })
