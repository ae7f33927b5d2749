'use client'

import { useEffect, useRef, useState } from 'react'
import type { SubmitEvent } from 'react'
import { Button } from '@/components/ui/button'
import { Field } from '@/components/ui/field'
import { Input } from '@/components/ui/input'

type EmbedChoice = { listing: string; lang: string; claim: string }

/**
 * Shows both elements of embed.js with what the reader names, and the event of the checkout. `origin`: where checkouts
 * and claims are.
 */
export function TryEmbed({ origin }: { origin: string }) {
  const [shown, setShown] = useState<EmbedChoice | null>(null)

  function show(event: SubmitEvent<HTMLFormElement>) {
    event.preventDefault()
    const form = new FormData(event.currentTarget)
    const textOf = (name: string) => String(form.get(name) ?? '').trim()
    setShown({ listing: textOf('listing'), lang: textOf('lang'), claim: textOf('claim') })
  }

  return (
    <>
      <form onSubmit={show} className="grid gap-4">
        <Field label="Listing" hint="The listing’s id.">
          <Input name="listing" autoComplete="off" spellCheck={false} className="figures" />
        </Field>
        <Field label="Language" hint="Of the checkout, such as de. Left empty, it speaks the buyer’s.">
          <Input name="lang" autoComplete="off" spellCheck={false} className="figures" />
        </Field>
        <Field label="Claim" hint="The link from the mail of a gift.">
          <Input name="claim" autoComplete="off" spellCheck={false} className="figures" />
        </Field>
        <div>
          <Button type="submit" variant="primary">
            Show them
          </Button>
        </div>
      </form>
      {shown && <Elements key={JSON.stringify(shown)} origin={origin} {...shown} />}
    </>
  )
}

function Elements({ origin, listing, lang, claim }: EmbedChoice & { origin: string }) {
  const place = useRef<HTMLDivElement>(null)
  const [completed, setCompleted] = useState<string | null>(null)

  useEffect(() => {
    const elements = [
      ...(listing ? [elementOf('vitrine-checkout', { listing, ...(lang && { lang }) })] : []),
      ...(claim ? [elementOf('vitrine-claim', { href: claim })] : []),
    ]
    const into = place.current!
    const listen = ({ detail }: CustomEventInit<{ listing_id: string }>) => setCompleted(detail!.listing_id)
    into.addEventListener('completed', listen)
    into.replaceChildren(...elements)
    loadElements(origin)
    return () => into.removeEventListener('completed', listen)
  }, [origin, listing, lang, claim])

  return (
    <>
      <div ref={place} className="grid gap-5 [&_a]:text-glass [&_a]:underline" />
      <p role="status" className="text-sm text-muted">
        {completed && `The page got the event “completed” for the listing ${completed}.`}
      </p>
    </>
  )
}

function elementOf(name: string, attributes: Record<string, string>): HTMLElement {
  const element = document.createElement(name)
  for (const [attribute, value] of Object.entries(attributes)) element.setAttribute(attribute, value)
  return element
}

/** As the page of another site does, once. */
function loadElements(origin: string): void {
  const src = `${origin}/embed.js`
  if (document.querySelector(`script[src="${src}"]`)) return
  const script = document.createElement('script')
  script.src = src
  document.head.append(script)
}
