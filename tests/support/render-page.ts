import { createFormatter, createTranslator } from 'use-intl/core'
import { vi } from 'vitest'
import { ORGANIZATION_COOKIE, SESSION_COOKIE } from '../../lib/platform/auth/cookies.ts'
import dashboard from '../../messages/dashboard/en.json' with { type: 'json' }
import own from '../../messages/en.json' with { type: 'json' }

/** What a page is asked with. */
type Asked = {
  params: Record<string, string>
  /** The values of its query. */
  query?: Record<string, string | string[]>
  session: string
  organizationId: string
}

let asked: Asked = { params: {}, session: '', organizationId: '' }
let remembered = new Map<object, Map<string, unknown>>()

vi.doMock('next/headers', () => ({
  headers: () => Promise.resolve(new Headers({ 'x-client-address': '192.0.2.7' })),
  cookies: () => {
    const values: Record<string, string> = {
      [SESSION_COOKIE]: asked.session,
      [ORGANIZATION_COOKIE]: asked.organizationId,
    }
    return Promise.resolve({
      get: (name: string) => values[name] && { name, value: values[name] },
      has: (name: string) => name in values,
    })
  },
}))
// Pages speak English here: what Next's server gives of next-intl isn't what Node finds.
const messages = { ...own, dashboard }
const formatter = () => createFormatter({ locale: 'en', timeZone: 'UTC' })
const translator = (namespace?: keyof typeof messages) =>
  namespace ? createTranslator({ locale: 'en', messages, namespace }) : createTranslator({ locale: 'en', messages })
vi.doMock('next-intl/server', () => ({
  getLocale: () => Promise.resolve('en'),
  getFormatter: () => Promise.resolve(formatter()),
  getMessages: () => Promise.resolve(messages),
  getTranslations: (namespace?: keyof typeof messages) => Promise.resolve(translator(namespace)),
}))
vi.doMock('next-intl', async (original) => ({
  ...(await original<object>()),
  useFormatter: formatter,
  useLocale: () => 'en',
  useTranslations: translator,
}))
// Outside a request of Next's, React remembers nothing.
vi.doMock('react', async (original) => ({
  ...(await original<object>()),
  cache: (read: (...args: unknown[]) => unknown) => {
    const key = {}
    return (...args: unknown[]) => {
      const known = remembered.get(key) ?? new Map<string, unknown>()
      remembered.set(key, known)
      const asked = JSON.stringify(args)
      if (!known.has(asked)) known.set(asked, read(...args))
      return known.get(asked)
    }
  },
}))

type Component = (props: object) => unknown
type Element = { type: unknown; props: Record<string, unknown> }

/**
 * Runs the server's components of a page and of its layouts, as far as they ask for data, and gives the texts that they
 * show. Components of the browser aren't run; what they are given is.
 */
export async function renderPage(files: { layouts: unknown[]; page: unknown }, request: Asked): Promise<string> {
  asked = request
  remembered = new Map()
  const props = { params: Promise.resolve(request.params), searchParams: Promise.resolve(request.query ?? {}) }
  const texts: string[] = []
  // Next renders layouts and page at the same time.
  await Promise.all([...files.layouts, files.page].map((component) => show({ type: component, props }, texts)))
  return texts.join(' ')
}

async function show(node: unknown, texts: string[]): Promise<void> {
  if (typeof node === 'string' || typeof node === 'number') return void texts.push(String(node))
  if (Array.isArray(node)) return void (await Promise.all(node.map((each) => show(each, texts))))
  if (typeof node !== 'object' || node === null) return
  if (node instanceof Promise) return show(await node, texts)
  if (!('type' in node && 'props' in node)) return
  const { type, props } = node as Element
  if (typeof type === 'function') {
    const result = run(type as Component, props)
    if (result !== BROWSER) return show(await result, texts)
  }
  await Promise.all(Object.values(props).map((value) => show(value, texts)))
}

const BROWSER = Symbol('a component of the browser')

/** A component of the browser throws, since it uses React's state. */
function run(component: Component, props: object): unknown {
  try {
    return component(props)
  } catch {
    return BROWSER
  }
}
