'use client'

export { PublicPageFailed as default } from '@/components/published/public-page-failed'
