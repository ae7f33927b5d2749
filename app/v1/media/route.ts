import * as api from '@/lib/api/media'
import { route, serve } from '@/lib/http/serve'
import { listMedia } from '@/lib/media/list-media'
import { uploadMedia } from '@/lib/media/upload-media'

export const { GET, POST, PUT, PATCH, DELETE, OPTIONS } = route(
  serve(api.listMedia, (ctx, { query }) => listMedia(ctx, query)),
  serve(api.uploadMedia, (ctx, { body }) => uploadMedia(ctx, body)),
)
