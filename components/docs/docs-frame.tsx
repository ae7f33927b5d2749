import type { ReactNode } from 'react'
import { Link } from '@/components/ui/link'
import { Search } from 'lucide-react'
import { TextLink } from '@/components/ui/text-link'
import { ThemeToggle } from '@/components/ui/theme'
import { Wordmark } from '@/components/ui/wordmark'
import { classes } from '@/components/ui/classes'

export type DocsNavigation = { title: string; pages: { slug: string; title: string }[] }[]

/** Pages that aren't Markdown files. The reference is no page of Next. */
const REFERENCE = [
  { href: '/docs/reference', label: 'Reference, with “try”' },
  { href: '/docs/errors', label: 'Error codes' },
  { href: '/docs/try-embed', label: 'Try the elements' },
  { href: '/llms.txt', label: 'For language models' },
]

type Heading = { id: string; text: string }

type Props = {
  navigation: DocsNavigation
  /** The page that is shown, with its headings. */
  current?: string
  headings?: readonly Heading[]
  query?: string
  children: ReactNode
}

/** The frame of the documentation: search, navigation, and the page. Everything in it works without script. */
export function DocsFrame({ navigation, current, headings = [], query = '', children }: Props) {
  const contents = <Contents navigation={navigation} current={current} headings={headings} />
  return (
    <div
      className={`mx-auto grid min-h-dvh w-full max-w-6xl grid-cols-[minmax(0,1fr)] grid-rows-[auto_1fr] px-5 sm:px-8`}
    >
      <header className="flex flex-wrap items-center gap-x-6 gap-y-3 border-b py-4 print:hidden">
        <Link href="/" className="rounded-sm">
          <Wordmark />
        </Link>
        <TextLink href="/docs" className="text-sm">
          Documentation
        </TextLink>
        <form
          action="/docs/search"
          role="search"
          className="flex min-w-0 gap-2 max-sm:order-last max-sm:basis-full sm:ml-auto"
        >
          <label className="sr-only" htmlFor="docs-search">
            Search the documentation
          </label>
          <input
            id="docs-search"
            type="search"
            name="q"
            defaultValue={query}
            maxLength={200}
            placeholder="Search"
            className={
              'h-10 min-w-0 grow rounded-md border border-edge bg-pane px-3 text-base ' +
              'placeholder:text-muted sm:w-64'
            }
          />
          <button
            type="submit"
            aria-label="Search"
            className="grid size-10 shrink-0 place-items-center rounded-md border border-edge bg-pane hover:bg-well"
          >
            <Search aria-hidden="true" className="size-4" />
          </button>
        </form>
        <div className="max-sm:ml-auto">
          <ThemeToggle />
        </div>
      </header>
      <div
        className={
          'grid grid-cols-[minmax(0,1fr)] content-start gap-x-10 lg:grid-cols-[15rem_minmax(0,1fr)] print:block'
        }
      >
        <details className="border-b py-3 lg:hidden print:hidden">
          <summary className="cursor-pointer text-sm">Contents</summary>
          <nav aria-label="Contents" className="pt-4 pb-2">
            {contents}
          </nav>
        </details>
        <nav
          aria-label="Documentation"
          className="sticky top-0 max-h-dvh self-start overflow-y-auto py-8 max-lg:hidden print:hidden"
        >
          {contents}
        </nav>
        <main className="min-w-0 max-w-3xl py-8">{children}</main>
      </div>
    </div>
  )
}

type ContentsProps = { navigation: DocsNavigation; current?: string | undefined; headings: readonly Heading[] }

function Contents({ navigation, current, headings }: ContentsProps) {
  const look = (isCurrent: boolean) =>
    classes('block rounded-md px-2 py-1 text-sm hover:bg-well', isCurrent ? 'bg-glass-soft text-glass' : 'text-muted')
  return (
    <div className="grid gap-5">
      {navigation.map(({ title, pages }) => (
        <div key={title} className="grid gap-1">
          <p className="px-2 label-caps">{title}</p>
          <ul>
            {pages.map((page) => (
              <li key={page.slug}>
                <Link
                  href={`/docs/${page.slug}`}
                  prefetch={false}
                  aria-current={page.slug === current ? 'page' : undefined}
                  className={look(page.slug === current)}
                >
                  {page.title}
                </Link>
                {page.slug === current && headings.length > 0 && (
                  <ul aria-label="On this page" className="mt-1 mb-2 ml-2 border-l">
                    {headings.map(({ id, text }) => (
                      <li key={id}>
                        <a
                          href={`#${id}`}
                          className="block rounded-md py-1 pr-2 pl-3 text-sm text-muted hover:text-ink"
                        >
                          {text}
                        </a>
                      </li>
                    ))}
                  </ul>
                )}
              </li>
            ))}
          </ul>
        </div>
      ))}
      <div className="grid gap-1">
        <p className="px-2 label-caps">Reference</p>
        <ul>
          {REFERENCE.map(({ href, label }) => (
            <li key={href}>
              <a
                href={href}
                aria-current={href === `/docs/${current}` ? 'page' : undefined}
                className={look(href === `/docs/${current}`)}
              >
                {label}
              </a>
            </li>
          ))}
        </ul>
      </div>
    </div>
  )
}
