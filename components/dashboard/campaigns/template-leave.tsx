'use client'

import { useEffect, useState } from 'react'
import { useRouter } from 'next/navigation'
import { Button } from '@/components/ui/button'
import { Dialog, DialogClose } from '@/components/ui/dialog'

/** Asks before unsaved changes are left: in our own dialog for links of the page, in the browser's for anything else. */
export function LeaveGuard({ dirty }: { dirty: boolean }) {
  const [href, setHref] = useState<string | null>(null)
  const router = useRouter()
  useEffect(() => {
    if (!dirty) return
    const leave = (event: BeforeUnloadEvent) => event.preventDefault()
    const follow = (event: MouseEvent) => {
      const link = event.target instanceof Element && event.target.closest('a[href]')
      const newTab = event.button !== 0 || event.metaKey || event.ctrlKey || event.shiftKey || event.altKey
      if (
        !(link instanceof HTMLAnchorElement) ||
        newTab ||
        link.target ||
        link.hasAttribute('download') ||
        link.origin !== location.origin ||
        link.href.startsWith(`${location.href.split('#')[0]}#`)
      )
        return
      event.preventDefault()
      event.stopPropagation()
      setHref(link.pathname + link.search)
    }
    addEventListener('beforeunload', leave)
    document.addEventListener('click', follow, true)
    return () => {
      removeEventListener('beforeunload', leave)
      document.removeEventListener('click', follow, true)
    }
  }, [dirty])

  return (
    <Dialog
      title="Leave without saving?"
      description="Changes since the last save will be lost."
      open={href !== null}
      onOpenChange={(open) => !open && setHref(null)}
    >
      <div className="flex flex-wrap justify-end gap-2">
        <DialogClose>Stay here</DialogClose>
        <Button
          variant="danger"
          onClick={() => {
            const to = href!
            setHref(null)
            router.push(to)
          }}
        >
          Leave
        </Button>
      </div>
    </Dialog>
  )
}
