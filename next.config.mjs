import { PHASE_PRODUCTION_SERVER } from 'next/constants.js'

// Their forms are accepted by their Origin, which browsers leave out under no-referrer. Other sites aren't told of the
// secrets in their addresses either.
const PAGES_WITH_FORMS = [
  '/sign-in/confirm',
  '/claim/:path*',
  '/claims',
  '/h/:path*',
  '/mails/:path*',
  '/p/:path*',
  '/wallet',
]

/** @type {import('next').NextConfig} */
const config = {
  poweredByHeader: false,
  reactStrictMode: true,
  compress: true,
  // Pictures are drawn in their sizes when they are uploaded. Next's own converter would draw any of them for anybody,
  // again and again.
  images: { unoptimized: true },
  // `npm test` checks types; a build only builds.
  typescript: { ignoreBuildErrors: true },
  // Node libraries that read files of their own or bring native code are required at run time, not bundled.
  serverExternalPackages: [
    '@prisma/adapter-pg',
    '@prisma/client',
    'mjml-browser',
    'nodemailer',
    'pg',
    'pino',
    'sharp',
    'undici',
  ],
  // The front door answers both APIs without Next, so the code of their route files would take memory for nothing.
  // A build writes no cache: only a build after it would read that, and writing it takes a quarter of the time.
  experimental: { preloadEntriesOnStart: false, turbopackFileSystemCacheForBuild: false },
  // The Markdown of a page of the documentation is beside it.
  rewrites: async () => [{ source: '/docs/:slug([\\w-]+).md', destination: '/docs/markdown/:slug' }],
  // The script policy, with a nonce for each request, is set by lib/platform/http/front-server.ts.
  headers: async () => [
    {
      source: '/:path*',
      headers: [
        { key: 'X-Content-Type-Options', value: 'nosniff' },
        { key: 'Referrer-Policy', value: 'strict-origin-when-cross-origin' },
        { key: 'Permissions-Policy', value: 'camera=(), microphone=(), geolocation=()' },
      ],
    },
    ...PAGES_WITH_FORMS.map((source) => ({ source, headers: [{ key: 'Referrer-Policy', value: 'same-origin' }] })),
  ],
}

// Texts are compiled when the application is built, so that no page carries a parser of their syntax. The server in
// production needs nothing of that.
export default async function settings(phase) {
  if (phase === PHASE_PRODUCTION_SERVER) return config
  const { default: createNextIntlPlugin } = await import('next-intl/plugin')
  const withTexts = createNextIntlPlugin({
    requestConfig: './app/language/request.ts',
    experimental: { messages: { path: './messages', format: 'json', locales: 'infer', precompile: true } },
  })
  return withTexts(config)
}
