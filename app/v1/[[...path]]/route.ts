import { unknownPath } from '@/lib/platform/http/route'

export const { GET, POST, PUT, PATCH, DELETE, OPTIONS } = unknownPath
