'use client'

import type { ReactElement, ReactNode } from 'react'
import { createContext, useContext, useState } from 'react'
import { useTranslations } from 'next-intl'
import { useSearchParams } from 'next/navigation'
import { Bookmark, MoreHorizontal } from 'lucide-react'
import { Button } from '@/components/ui/button'
import { later } from '@/components/shared/later'
import type { SavedView } from '@/lib/platform/api/saved-views'
import { Chip, Chips } from './chips'
import type { ViewActions } from './view-actions'

const ViewDialog = later(() => import('./view-dialog').then((module) => module.ViewDialog))

type Views = { views: readonly SavedView[]; actions: ViewActions }
const ViewsContext = createContext<Views | null>(null)

/** The member's saved views, for all lists within. */
export function SavedViews({ children, ...views }: Views & { children: ReactNode }) {
  return <ViewsContext value={views}>{children}</ViewsContext>
}

/**
 * The saved views of a list as links; its present filters can be saved as one, and the view that is shown renamed or
 * deleted.
 */
export function ViewsBar({ path }: { path: string }): ReactElement | null {
  const t = useTranslations('dashboard.common.views')
  const context = useContext(ViewsContext)
  const present = queryOf(useSearchParams())
  const [open, setOpen] = useState<'save' | 'edit' | null>(null)
  const [edited, setEdited] = useState<SavedView>() // as it was when its dialog was opened
  const [used, setUsed] = useState(false) // the dialogs' code loads at its first use
  if (!context) return null
  const list = path.split('/').at(-1)!
  const views = context.views.filter((view) => view.list === list)
  const shown = views.find(({ query }) => query === present)
  if (views.length === 0 && present === '') return null
  const show = (which: 'save' | 'edit') => {
    setUsed(true)
    setEdited(shown)
    setOpen(which)
  }
  return (
    <div className="flex flex-wrap items-center gap-x-3 gap-y-2">
      {views.length > 0 && (
        <Chips label={t('label')}>
          {views.map(({ id, name, query }) => (
            <Chip key={id} href={`${path}?${query}`} current={id === shown?.id}>
              <span className="max-w-60 truncate">{name}</span>
            </Chip>
          ))}
        </Chips>
      )}
      {shown ? (
        <Button
          size="sm"
          variant="quiet"
          aria-label={t('edit', { name: shown.name })}
          icon={<MoreHorizontal aria-hidden="true" className="size-4" />}
          onClick={() => show('edit')}
        />
      ) : (
        present !== '' && (
          <Button
            size="sm"
            variant="quiet"
            icon={<Bookmark aria-hidden="true" className="size-4" />}
            onClick={() => show('save')}
          >
            {t('save')}
          </Button>
        )
      )}
      {used && (
        <ViewDialog
          open={open}
          onClose={() => setOpen(null)}
          list={list}
          query={present}
          view={edited}
          actions={context.actions}
        />
      )}
    </div>
  )
}

/** The filters in the query, in one order whatever the fields' was; without the page of the list. */
function queryOf(given: URLSearchParams): string {
  const query = new URLSearchParams([...given].filter(([name, value]) => name !== 'cursor' && value !== ''))
  query.sort()
  return query.toString()
}
