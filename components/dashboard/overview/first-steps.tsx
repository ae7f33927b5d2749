import type { ReactNode } from 'react'
import { LinkButton } from '@/components/ui/button'
import { Card } from '@/components/ui/card'
import { Steps } from '../forms/steps'
import type { Step } from '../forms/steps'

type Counts = { collections: number; live: number; items: number; locked: number }

/** The steps from an empty organization to the first item sent, with a link at the next step. */
export function FirstSteps({ collections, live, items, locked }: Counts) {
  const path: { name: string; done: boolean; text: string; href: string; label: string }[] = [
    {
      name: 'Make a collection',
      done: collections > 0,
      text: 'A name is enough. Its items will share one contract.',
      href: '/dashboard/collections/new',
      label: 'New collection',
    },
    {
      name: 'Deploy it',
      done: live > 0,
      text: 'One form; the contract is there a few seconds later.',
      href: '/dashboard/collections',
      label: 'Choose the collection',
    },
    {
      name: 'Make an item',
      done: items > 0,
      text: 'A title, a picture, attributes. It can change until you lock it.',
      href: '/dashboard/items/new',
      label: 'New item',
    },
    {
      name: 'Lock it',
      done: locked > 0,
      text: 'It gets its token id, and its number of units is fixed.',
      href: '/dashboard/items?locked=false',
      label: 'Choose the item',
    },
    {
      name: 'Send it to an email address',
      done: false,
      text: 'The recipient needs no wallet: one can be made on the spot.',
      href: '/dashboard/claims/new',
      label: 'Send an item',
    },
  ]
  const next = path.findIndex(({ done }) => !done)
  const steps = path.map(({ name, done, text, href, label }, index): Step => {
    const here = index === next
    const note: ReactNode = (
      <span className="grid justify-items-start gap-2.5">
        {text}
        {here && (
          <LinkButton href={href} size="sm" variant="primary">
            {label}
          </LinkButton>
        )}
      </span>
    )
    return { name, state: done ? 'done' : 'todo', note: done ? null : note }
  })
  return (
    <Card title="From an empty case to somebody’s hands" description="Five steps, the first time.">
      <Steps label="First steps" steps={steps} />
    </Card>
  )
}
