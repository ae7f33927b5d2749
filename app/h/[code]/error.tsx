'use client'

export { default } from '@/app/claim/[claimToken]/error'
