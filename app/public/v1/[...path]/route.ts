import { nowhere } from '@/lib/platform/http/serve'

export { nowhere as GET, nowhere as POST, nowhere as PUT, nowhere as PATCH, nowhere as DELETE, nowhere as OPTIONS }
