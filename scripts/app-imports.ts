// Files under app/ import `@/lib/…` without an extension, as Next allows. With this file, Node.js finds what they mean.
import { registerHooks } from 'node:module'

registerHooks({
  resolve: (specifier, context, next) =>
    next(
      specifier.startsWith('@/') ? new URL(`../${specifier.slice(2)}.ts`, import.meta.url).href : specifier,
      context,
    ),
})
