export { ListSkeleton as default } from '@/components/dashboard/skeletons'
