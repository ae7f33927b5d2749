import type { ReactNode } from 'react'
import { useTranslations } from 'next-intl'
import { Skeleton } from '@/components/ui/skeleton'

/** Placeholders with the size of the loaded page, so that the layout doesn't shift. */
function Coming({ children }: { children: ReactNode }) {
  const t = useTranslations('dashboard.common')
  return (
    <div role="status" className="grid grid-cols-[minmax(0,1fr)] gap-7">
      <h1 className="sr-only">{t('loading')}</h1>
      <div className="contents">{children}</div>
    </div>
  )
}

function Heading({ back = false, action = false }: { back?: boolean; action?: boolean }) {
  return (
    <div className="grid grid-cols-[minmax(0,1fr)] gap-3">
      {back && <Skeleton className="h-5 w-24" />}
      <div className="flex items-start justify-between gap-6">
        <div className="grid min-w-0 grow grid-cols-[minmax(0,1fr)] gap-2.5">
          <Skeleton className="h-8 w-48 max-w-full" />
          <Skeleton className="h-5 w-96 max-w-full" />
        </div>
        {action && <Skeleton className="h-10 w-32 shrink-0" />}
      </div>
    </div>
  )
}

function Lines({ many }: { many: number }) {
  return (
    <div className="divide-y rounded-lg border bg-pane shadow-rest">
      {Array.from({ length: many }, (_, at) => (
        <div key={at} className="flex items-center gap-6 px-5 py-4 sm:px-6">
          <Skeleton className="h-5 max-w-56 grow" />
          <Skeleton className="h-5 w-24 max-sm:hidden" />
          <Skeleton className="ms-auto h-5 w-20" />
        </div>
      ))}
    </div>
  )
}

/** A list page. */
export const ListSkeleton = () => (
  <Coming>
    <Heading action />
    <Lines many={7} />
  </Coming>
)

/** The page of one record. */
export const DetailSkeleton = () => (
  <Coming>
    <Heading back action />
    <div className="grid grid-cols-[minmax(0,1fr)] gap-6 lg:grid-cols-2">
      <Lines many={5} />
      <Lines many={5} />
    </div>
  </Coming>
)

/** A form page. */
export const FormSkeleton = () => (
  <Coming>
    <Heading back />
    <div className="grid max-w-2xl grid-cols-[minmax(0,1fr)] gap-6">
      {Array.from({ length: 4 }, (_, at) => (
        <div key={at} className="grid gap-1.5">
          <Skeleton className="h-5 w-28" />
          <Skeleton className="h-10" />
        </div>
      ))}
      <Skeleton className="h-10 w-36" />
    </div>
  </Coming>
)
