export { DetailSkeleton as default } from '@/components/dashboard/shell/skeletons'
