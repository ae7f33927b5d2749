'use client'

import { useEffect } from 'react'
import { useRouter } from 'next/navigation'
import { toast } from '@/components/ui/toaster'

/** Says that something was saved, and takes it out of the address again. */
export function Arrived({ path, message }: { path: string; message: string }) {
  const router = useRouter()
  useEffect(() => {
    toast.success(message, { id: message })
    router.replace(path, { scroll: false })
  }, [path, message, router])
  return null
}
