import { anyone } from '@/app/claim/anyone'
import { isUuid } from '@/lib/core/id'
import { listPublishedCollectionIds, listPublishedItemIds } from '@/lib/catalog/collections/list-published-ids'
import { sitemapAnswer } from '../sitemap-answer'

/** `collections.xml`, or the items of a collection: `<collection id>.xml`. */
export async function GET(request: Request, { params }: { params: Promise<{ name: string }> }): Promise<Response> {
  const [, of = ''] = /^(.+)\.xml$/.exec((await params).name) ?? []
  return sitemapAnswer(request, 'urlset', async () => {
    if (of === 'collections') return (await listPublishedCollectionIds(await anyone())).map((id) => `/c/${id}`)
    if (!isUuid(of)) return null
    const ids = await listPublishedItemIds(await anyone(), of)
    return ids.length === 0 ? null : ids.map((id) => `/i/${id}`)
  })
}
