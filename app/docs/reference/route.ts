import { nonceIn } from '@/lib/platform/http/page-policy'

const sources = [
  { title: 'Public', slug: 'public', url: '/openapi/public.json' },
  { title: 'Administrative', slug: 'admin', url: '/openapi/admin.json' },
]

/** The viewer's settings without any call to other servers: no fonts, analytics, proxy or assistant. */
const settings = {
  sources,
  withDefaultFonts: false,
  telemetry: false,
  showDeveloperTools: 'never',
  hideClientButton: true,
  agent: { disabled: true },
  mcp: { disabled: true },
  proxyUrl: '',
  persistAuth: false,
  theme: 'none',
  layout: 'modern',
  defaultHttpClient: { targetKey: 'shell', clientKey: 'curl' },
  metaData: { title: 'API reference · Vitrine' },
}
const start = `Scalar.createApiReference('#reference', ${JSON.stringify(settings)})`

const pageWith = (nonce = '') => `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>API reference · Vitrine</title>
<link rel="icon" href="/icon.svg">
<style>
:root { color-scheme: light dark; --scalar-font: ui-sans-serif, system-ui, sans-serif;
  --scalar-font-code: ui-monospace, monospace; --scalar-radius: 6px; --scalar-radius-lg: 10px }
body { margin: 0; --scalar-custom-header-height: 44px }
.docs { position: sticky; top: 0; z-index: 10; box-sizing: border-box; height: 44px; padding: 0 20px; display: flex;
  gap: 24px; align-items: center; font: 14px var(--scalar-font); background: var(--scalar-background-1, Canvas);
  border-bottom: 1px solid var(--scalar-border-color, GrayText) }
.docs a { color: var(--scalar-color-accent, LinkText) }
.light-mode { --scalar-color-1: #14211f; --scalar-color-2: #54625f; --scalar-color-3: #5f6c69;
  --scalar-color-accent: #00594b; --scalar-background-1: #fff; --scalar-background-2: #f7f9f8;
  --scalar-background-3: #eef2f0; --scalar-background-accent: #00594b14; --scalar-border-color: #dfe6e4;
  --scalar-color-blue: #005fa3; --scalar-color-green: #006b41; --scalar-color-orange: #8f4a00;
  --scalar-color-red: #b3261e; --scalar-color-purple: #6b3fa0 }
.dark-mode { --scalar-color-1: #eef4f2; --scalar-color-2: #a8b3b0; --scalar-color-3: #87928f;
  --scalar-color-accent: #7fdcc4; --scalar-background-1: #131a19; --scalar-background-2: #0d1211;
  --scalar-background-3: #1c2523; --scalar-background-accent: #7fdcc41a; --scalar-border-color: #2b3735 }
</style>
</head>
<body>
<nav class="docs" aria-label="Documentation"><a href="/docs">← Documentation</a><a href="/docs/errors">Errors</a></nav>
<noscript><p>The reference needs JavaScript. The same as documents: <a href="/openapi/public.json">public</a>,
<a href="/openapi/admin.json">administrative</a>, <a href="/docs/errors">errors</a>.</p></noscript>
<div id="reference"></div>
<script src="/docs/reference.js"></script>
<script nonce="${nonce}">${start}</script>
</body>
</html>
`

/** The front server's policy runs only scripts with its nonce. */
export const GET = (request: Request) =>
  new Response(pageWith(nonceIn(request.headers.get('content-security-policy'))), {
    headers: { 'content-type': 'text/html; charset=utf-8' },
  })
