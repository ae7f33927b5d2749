import type { Input, Output } from '../../platform/api/endpoint.ts'
import type { waitForListing as endpoint } from '../../platform/api/changes.ts'
import type { Context } from '../../platform/auth/context.ts'
import { changesOf } from '../../platform/http/changes.ts'
import { askPublished } from '../../platform/http/hot/questions.ts'
import { publicListing } from './public-listing.ts'

const askVersions = askPublished<object>(publicListing.versions)

const changes = changesOf('listings', async (keys: readonly (readonly [string])[]) =>
  (await askVersions(keys)).map(([found]) => found?.version ?? null),
)

/**
 * The version of a public listing: its price, its stock and whether it sells. Throws `not_found`, and `rate_limited` or
 * `overloaded` where too many wait.
 */
export const waitForListing = (
  ctx: Context,
  id: string,
  query: Input<typeof endpoint>['query'],
): Promise<Output<typeof endpoint>> => changes(ctx, [id.toLowerCase()], query)
