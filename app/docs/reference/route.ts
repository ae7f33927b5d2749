import { nonceIn } from '@/lib/platform/http/page-policy'

const APIS = [
  { name: 'public', title: 'Public' },
  { name: 'admin', title: 'Administrative' },
] as const
type Api = (typeof APIS)[number]['name']

/** The viewer's settings. It asks no other server, neither for fonts nor to check the document. */
const settingsOf = (api: Api) => ({
  url: `/openapi/${api}.json`,
  dom_id: '#reference',
  deepLinking: true,
  docExpansion: 'list',
  defaultModelsExpandDepth: -1,
  defaultModelExpandDepth: 2,
  filter: true,
  displayRequestDuration: true,
  tryItOutEnabled: true,
  requestSnippetsEnabled: true,
  requestSnippets: { generators: { curl_bash: { title: 'curl', syntax: 'bash' } }, defaultExpanded: true },
  validatorUrl: null,
})

/** The viewer's dark colours follow the system's. */
const startOf = (api: Api) => `const dark = matchMedia('(prefers-color-scheme: dark)')
const paint = () => document.documentElement.classList.toggle('dark-mode', dark.matches)
dark.addEventListener('change', paint)
paint()
SwaggerUIBundle(${JSON.stringify(settingsOf(api))})`

const linksFrom = (shown: Api) =>
  APIS.map(
    ({ name, title }) =>
      `<a href="/docs/reference?api=${name}"${name === shown ? ' aria-current="page"' : ''}>${title}</a>`,
  ).join('')

const pageOf = (api: Api, nonce = '') => `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>API reference · Vitrine</title>
<link rel="icon" href="/icon.svg">
<link rel="stylesheet" href="/docs/reference.css">
<style>
:root { color-scheme: light dark; --page: #fff; --pane: #f7f9f8; --ink: #14211f; --muted: #54625f; --line: #dfe6e4;
  --accent: #00594b; --font: ui-sans-serif, system-ui, sans-serif; --code: ui-monospace, monospace }
:root.dark-mode { --page: #0d1211; --pane: #131a19; --ink: #eef4f2; --muted: #a8b3b0; --line: #2b3735;
  --accent: #7fdcc4 }
html.dark-mode, html.dark-mode .swagger-ui, body { background: var(--page) }
body { margin: 0 }
.docs { position: sticky; top: 0; z-index: 10; box-sizing: border-box; min-height: 44px; padding: 0 20px; display: flex;
  flex-wrap: wrap; gap: 4px 24px; align-items: center; font: 14px var(--font); background: var(--page);
  border-bottom: 1px solid var(--line) }
.docs a { color: var(--accent) }
.docs a[aria-current] { color: var(--ink); font-weight: 600; text-decoration: none }
.swagger-ui .wrapper { max-width: 1100px }
.swagger-ui * { font-family: var(--font) !important }
.swagger-ui :is(code, pre, .opblock-summary-method, .opblock-summary-path, .parameter__type),
.swagger-ui :is(code, pre, .opblock-summary-path) * { font-family: var(--code) !important }
.swagger-ui .info { margin: 28px 0 }
.swagger-ui .info .title, .swagger-ui .opblock-tag, html.dark-mode .swagger-ui .info .title { color: var(--ink) }
.swagger-ui .info a, .swagger-ui .opblock-tag a { color: var(--accent) }
.swagger-ui .scheme-container { background: none; box-shadow: none; padding: 0 0 12px }
.swagger-ui .filter .operation-filter-input { box-sizing: border-box; width: 100%; max-width: none }
.swagger-ui .opblock { border-radius: 8px; box-shadow: none }
</style>
</head>
<body>
<nav class="docs" aria-label="Documentation"><a href="/docs">← Documentation</a>${linksFrom(api)}
<a href="/docs/errors">Errors</a></nav>
<noscript><p>The reference needs JavaScript. The same as documents: <a href="/openapi/public.json">public</a>,
<a href="/openapi/admin.json">administrative</a>, <a href="/docs/errors">errors</a>.</p></noscript>
<div id="reference"></div>
<script src="/docs/reference.js"></script>
<script nonce="${nonce}">${startOf(api)}</script>
</body>
</html>
`

/**
 * The reference of the public API, or with `?api=admin` of the administrative one. The front server's policy runs only
 * scripts with its nonce.
 */
export const GET = (request: Request) => {
  const asked = new URL(request.url).searchParams.get('api')
  const { name } = APIS.find((each) => each.name === asked) ?? APIS[0]
  return new Response(pageOf(name, nonceIn(request.headers.get('content-security-policy'))), {
    headers: { 'content-type': 'text/html; charset=utf-8' },
  })
}
