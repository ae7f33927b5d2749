export { default } from '@/app/claim/[claimToken]/not-found'
