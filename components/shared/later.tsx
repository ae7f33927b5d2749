'use client'

import { lazy, Suspense } from 'react'
import type { ComponentType } from 'react'
import { useHydrated } from '@/components/ui/use-hydrated'

/**
 * A component whose script is loaded once it is shown, in the browser only; until then `Waiting` stands there. It does
 * what Next's `dynamic` does with `ssr: false`, in a tenth of its script, which every page of a recipient would load.
 */
export function later<Props extends object>(
  load: () => Promise<ComponentType<Props>>,
  Waiting: ComponentType = Nothing,
): ComponentType<Props> {
  // The type of a lazy component isn't known to take generic props.
  const Loaded = lazy(() => load().then((component) => ({ default: component }))) as unknown as ComponentType<Props>
  return function Later(props: Props) {
    if (!useHydrated()) return <Waiting />
    return (
      <Suspense fallback={<Waiting />}>
        <Loaded {...props} />
      </Suspense>
    )
  }
}

const Nothing = () => null
