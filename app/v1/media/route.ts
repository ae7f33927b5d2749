import * as api from '@/lib/platform/api/media'
import { route, serve } from '@/lib/platform/http/serve'
import { listMedia } from '@/lib/records/media/list-media'
import { uploadMedia } from '@/lib/records/media/upload-media'

export const { GET, POST, PUT, PATCH, DELETE, OPTIONS } = route(
  serve(api.listMedia, (ctx, { query }) => listMedia(ctx, query)),
  serve(api.uploadMedia, (ctx, { body }) => uploadMedia(ctx, body)),
)
