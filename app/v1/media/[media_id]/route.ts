import * as api from '@/lib/platform/api/media'
import { route, serve } from '@/lib/platform/http/serve'
import { getMediaFile } from '@/lib/records/media/get-media-file'

export const { GET, POST, PUT, PATCH, DELETE, OPTIONS } = route(
  serve(api.getMedia, (ctx, { params }) => getMediaFile(ctx, params.media_id)),
)
