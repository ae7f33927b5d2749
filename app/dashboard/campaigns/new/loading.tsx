export { FormSkeleton as default } from '@/components/dashboard/skeletons'
