import * as api from '../platform/api/media.ts'
import { serve } from '../platform/http/serve.ts'
import { getMediaFile } from '../records/media/get-media-file.ts'
import { listMedia } from '../records/media/list-media.ts'
import { uploadMedia } from '../records/media/upload-media.ts'

export const handlers = {
  listMedia: serve(api.listMedia, (ctx, { query }) => listMedia(ctx, query)),
  uploadMedia: serve(api.uploadMedia, (ctx, { body }) => uploadMedia(ctx, body)),
  getMedia: serve(api.getMedia, (ctx, { params }) => getMediaFile(ctx, params.media_id)),
}
