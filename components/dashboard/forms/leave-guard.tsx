'use client'

import { useEffect, useState } from 'react'
import { useRouter } from 'next/navigation'
import { later } from '@/components/shared/later'
import { findUnsaved, type Question, setAsker } from './unsaved'

const LeaveDialog = later(() => import('./leave-dialog').then((module) => module.LeaveDialog))

/**
 * Asks before a form with changes is left: in our own dialog for links, the back button and what calls `leaveBy`, in
 * the browser's for closing and reloading. The dashboard has one, for the forms of all its pages.
 */
export function LeaveGuard() {
  const [question, setQuestion] = useState<Question | null>(null)
  const [used, setUsed] = useState(false) // the dialog's code loads at its first use
  const router = useRouter()
  useEffect(() => {
    const asks = (next: Question) => {
      setUsed(true)
      setQuestion(next)
    }
    /** The entry of the history that the person chose to go to. */
    let agreed: string | null = null
    const close = (event: BeforeUnloadEvent) => findUnsaved() && event.preventDefault()
    const follow = (event: MouseEvent) => {
      const link = linkOf(event)
      const unsaved = link && findUnsaved()
      if (!unsaved) return
      event.preventDefault()
      event.stopPropagation()
      asks({ ...unsaved, leave: () => router.push(link.pathname + link.search + link.hash) })
    }
    const goBack = (event: NavigateEvent) => {
      if (event.navigationType !== 'traverse' || !event.cancelable || !event.destination.sameDocument) return
      const { key } = event.destination
      const unsaved = key === agreed ? null : findUnsaved()
      agreed = null
      if (!unsaved) return
      event.preventDefault()
      const leave = () => {
        agreed = key
        navigation.traverseTo(key)
      }
      asks({ ...unsaved, leave })
    }
    setAsker(asks)
    addEventListener('beforeunload', close)
    document.addEventListener('click', follow, true)
    // Browsers without the Navigation API can't stop going back within the app.
    const history = 'navigation' in window ? navigation : null
    history?.addEventListener('navigate', goBack)
    return () => {
      setAsker(null)
      removeEventListener('beforeunload', close)
      document.removeEventListener('click', follow, true)
      history?.removeEventListener('navigate', goBack)
    }
  }, [router])
  return used && <LeaveDialog question={question} onClose={() => setQuestion(null)} />
}

/**
 * The link that a click would follow in this tab, unless it leads elsewhere within the page or to another origin, or
 * says that nobody is asked.
 */
function linkOf(event: MouseEvent): HTMLAnchorElement | null {
  const link = event.target instanceof Element && event.target.closest('a[href]')
  const newTab = event.button !== 0 || event.metaKey || event.ctrlKey || event.shiftKey || event.altKey
  if (
    !(link instanceof HTMLAnchorElement) ||
    newTab ||
    'unasked' in link.dataset ||
    link.target ||
    link.hasAttribute('download') ||
    link.origin !== location.origin ||
    link.href.startsWith(`${location.href.split('#')[0]}#`)
  )
    return null
  return link
}
