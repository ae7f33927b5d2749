'use client'

import { useEffect } from 'react'
import { useRouter } from 'next/navigation'
import { toast } from '@/components/ui/toaster'

/** Confirms that something was saved, and removes the query parameter that said so. */
export function Arrived({ path, message }: { path: string; message: string }) {
  const router = useRouter()
  useEffect(() => {
    toast.success(message, { id: message })
    router.replace(path, { scroll: false })
  }, [path, message, router])
  return null
}
