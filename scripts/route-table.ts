// In a build, static imports of the same files stand here (bundle-web.ts).
import './app-imports.ts'
import { handlersOf, routeFiles } from './route-files.ts'

/** Every endpoint with the verb that serves it. */
export const handlers = handlersOf(await Promise.all(routeFiles().map((file) => import(file) as Promise<object>)))
