/**
 * A page of the documentation: its address below /docs, its Markdown file from the root, and a line that says what it
 * is for.
 */
export type GuidePage = { slug: string; file: string; about: string }

const guide = (slug: string, about: string): GuidePage => ({ slug, file: `docs/guides/${slug}.md`, about })
const document = (slug: string, about: string): GuidePage => ({ slug, file: `docs/${slug}.md`, about })

/** Every page of /docs that is a Markdown file, in the order of the navigation. */
export const GUIDE_GROUPS: readonly { title: string; pages: readonly GuidePage[] }[] = [
  {
    title: 'Start in ten minutes',
    pages: [
      guide('start-sender', 'A gift that arrives by email, from the dashboard.'),
      guide('start-seller', 'A page that sells by card and delivers.'),
      guide('start-integrator', 'Your own program: an item, a gift, and a verified webhook on localhost.'),
      guide('start-operator', 'The sandbox, and an installation of your own.'),
    ],
  },
  {
    title: 'Guides',
    pages: [
      guide('card', 'Sell by card on your own page.'),
      guide('voucher', 'Sell for crypto: the buyer mints with a signed voucher.'),
      guide('free-drop', 'Give items away from a listing.'),
      guide('gifts', 'Gifts by mail, one or from a CSV file.'),
      guide('embed', 'The checkout on your own site.'),
      document('webhooks', 'Be told of what happens: events, payloads, signatures.'),
    ],
  },
  {
    title: 'The API',
    pages: [
      guide('handling-errors', 'What a failure looks like, and what to do about it.'),
      guide('idempotency', 'Repeat a request without doing it twice.'),
      guide('paging', 'Read a list of any length.'),
      guide('limits', 'How much and how often.'),
      guide('test-and-live', 'Test networks and real money.'),
      guide('sandbox', 'The inbox, the cards and the clock of the sandbox.'),
      guide('clients', 'Clients for TypeScript and Python.'),
    ],
  },
  {
    title: 'Run it',
    pages: [
      guide('going-live', 'What to have before the first real sale.'),
      guide('security', 'Who is trusted with what.'),
      document('contracts', 'The contracts: notes for auditors.'),
      document('deployment', 'Processes, containers, proxies.'),
      document('first-day', 'The first organization, and who comes in.'),
      document('operators', 'The keys that send transactions.'),
      document('keys', 'Secrets and their replacement.'),
      document('passkeys', 'The domain of recipients’ wallets, and moving to another one.'),
      document('backup', 'Back up everything in one file.'),
      document('restore', 'After a backup was put back.'),
      document('upgrades', 'From one release to the next, and what versions promise.'),
      document('commands', 'Every command, with its options.'),
      document('database', 'Logins, rights and poolers.'),
      document('big-database', 'Millions of rows.'),
      document('perks', 'What only holders of an item get.'),
      document('reveal', 'Hidden items that are revealed later.'),
      document('abuse', 'Reports and suspensions.'),
    ],
  },
]

export const GUIDE_PAGES: readonly GuidePage[] = GUIDE_GROUPS.flatMap(({ pages }) => pages)
