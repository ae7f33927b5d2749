import Link from 'next/link'
import { ItemArt } from '@/components/ui/art'
import { LinkButton } from '@/components/ui/button'
import { TextLink } from '@/components/ui/text-link'
import { ThemeToggle } from '@/components/ui/theme'
import { Wordmark } from '@/components/ui/wordmark'

const PIECES: { title: string; colours: number[] }[] = [
  { title: 'Moonflower', colours: [262, 88] },
  { title: 'Harbour at seven', colours: [205, 50] },
  { title: 'Third arch', colours: [27, 88] },
  { title: 'Quiet mosaic', colours: [160, 75] },
]

const STEPS = [
  { name: 'Make', text: 'A collection, its items, a contract of your own on the network you choose.' },
  { name: 'Send', text: 'To an email address. No wallet needed beforehand, no account, no jargon.' },
  {
    name: 'Theirs',
    text: 'The recipient proves the mailbox, makes a wallet with a passkey, and owns it. On chain, for good.',
  },
]

export default function LandingPage() {
  return (
    <div className="mx-auto grid min-h-dvh w-full max-w-6xl grid-cols-[minmax(0,1fr)] grid-rows-[auto_1fr_auto] px-5 sm:px-8">
      <header className="flex flex-wrap items-center justify-between gap-x-4 gap-y-3 py-5">
        <Link href="/" className="rounded-sm">
          <Wordmark />
        </Link>
        <nav aria-label="Site" className="flex flex-wrap items-center gap-x-4 gap-y-2 text-sm">
          <TextLink href="/docs">Docs</TextLink>
          <ThemeToggle />
          <LinkButton href="/dashboard" size="sm">
            Dashboard
          </LinkButton>
        </nav>
      </header>
      <main className="grid content-center gap-14 py-10">
        <div className="grid items-center gap-10 lg:grid-cols-2">
          <div className="grid justify-items-start gap-5">
            <h1 className="text-4xl font-medium">
              Collectibles that arrive by email and belong to whoever opens them.
            </h1>
            <p className="max-w-lg text-lg text-muted">
              Vitrine is a display case you run yourself: make digital items, put them on a chain, and give them to
              anyone who has a mailbox.
            </p>
            <div className="flex flex-wrap gap-3">
              <LinkButton href="/dashboard" variant="primary" size="lg">
                Open the dashboard
              </LinkButton>
              <LinkButton href="/wallet" size="lg">
                My wallet
              </LinkButton>
            </div>
          </div>
          <ul aria-hidden="true" className="grid grid-cols-2 gap-4">
            {PIECES.map(({ title, colours }, index) => (
              <li key={title} className={index % 2 === 1 ? 'translate-y-6' : undefined}>
                <div className="overflow-hidden rounded-lg border bg-pane shadow-lift">
                  <ItemArt title={title} colours={colours} className="w-full" />
                  <p className="px-3 py-2 text-xs text-muted">{title}</p>
                </div>
              </li>
            ))}
          </ul>
        </div>
        <ol className="grid gap-px overflow-hidden rounded-lg border bg-line sm:grid-cols-3">
          {STEPS.map(({ name, text }, index) => (
            <li key={name} className="grid content-start gap-2 bg-pane p-6">
              <span className="label-caps text-glass">{index + 1}</span>
              <h2 className="text-lg font-medium">{name}</h2>
              <p className="text-sm text-muted">{text}</p>
            </li>
          ))}
        </ol>
      </main>
      <footer className="flex flex-wrap gap-x-6 gap-y-2 py-6 text-sm text-muted">
        <TextLink href="/docs">Documentation</TextLink>
        <TextLink href="/docs/reference" prefetch={false}>
          API reference
        </TextLink>
        <TextLink href="/docs/errors">Errors</TextLink>
        <TextLink href="/wallet">Wallet</TextLink>
        <TextLink href="/claims">Your gifts and purchases</TextLink>
      </footer>
    </div>
  )
}
