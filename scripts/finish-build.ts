// Part of `npm run build`, after Next's: bundles and escapes what the web process runs, and meanwhile compresses what
// browsers load, which is other files.
await Promise.all([
  import('./bundle-web.ts').then(() => import('./escape-built-code.ts')),
  import('./compress-built-files.ts'),
])
