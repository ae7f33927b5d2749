export { DetailSkeleton as default } from '@/components/dashboard/skeletons'
