#!/usr/bin/env node
import { parseArgs } from 'node:util'
import { listen, secretOf } from './listen.ts'
import { open } from './open.ts'
import { sentenceOf } from './sentence-of.ts'
import { connectionOf, keyOf, Misuse } from './settings.ts'
import { trigger } from './trigger.ts'

const HELP = `vitrine listen --forward-to <url>         posts your organization's events to an address, signed, as they happen
vitrine trigger <event>                   sends an example of an event to those who listen
vitrine open [dashboard|inbox|docs]       opens a page in the browser

  --origin <url>       where Vitrine runs (VITRINE_ORIGIN); http://localhost:3000 unless given
  --key <key>          an API key (VITRINE_API_KEY): webhooks:read to listen, webhooks:write to trigger
  --secret <secret>    what listen signs with (VITRINE_WEBHOOK_SECRET), whsec_ and base64; the key’s own unless given
  --events <a,b>       the events to listen for; all unless given`

async function main(signal: AbortSignal): Promise<void> {
  const { values, positionals } = parseArgs({
    allowPositionals: true,
    options: {
      origin: { type: 'string' },
      key: { type: 'string' },
      secret: { type: 'string' },
      events: { type: 'string' },
      'forward-to': { type: 'string' },
      help: { type: 'boolean', short: 'h' },
    },
  })
  const [command = 'help', argument] = positionals
  if (values.help || command === 'help') return console.log(HELP)
  switch (command) {
    case 'listen': {
      const secret = values.secret ?? process.env.VITRINE_WEBHOOK_SECRET ?? (await secretOf(keyOf(values)))
      return listen(connectionOf(values), { secret, events: values.events, forwardTo: values['forward-to'] }, signal)
    }
    case 'trigger':
      return trigger(connectionOf(values), argument)
    case 'open':
      return open(values, argument)
    default:
      throw new Misuse(`There is no command ${command}.\n\n${HELP}`)
  }
}

const ending = new AbortController()
for (const signal of ['SIGINT', 'SIGTERM'] as const) process.on(signal, () => ending.abort())
main(ending.signal).catch((failure: unknown) => {
  if (ending.signal.aborted) return
  const isMistyped = (failure as { code?: string }).code?.startsWith('ERR_PARSE_ARGS')
  console.error(isMistyped ? `${(failure as Error).message}\n\n${HELP}` : sentenceOf(failure))
  process.exitCode = 1
})
