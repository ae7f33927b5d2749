import * as api from '@/lib/api/media'
import { route, serve } from '@/lib/http/serve'
import { getMediaFile } from '@/lib/media/get-media-file'

export const { GET, POST, PUT, PATCH, DELETE, OPTIONS } = route(serve(api.getMedia, (ctx, { params }) => getMediaFile(ctx, params.media_id)))
