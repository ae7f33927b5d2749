import { LinkButton } from '@/components/ui/button'
import { PageHeader } from '@/components/ui/page-header'

export default function NothingHere() {
  return (
    <>
      <PageHeader title="Page not found" description="It may have been deleted, or the address is wrong." />
      <div>
        <LinkButton href="/dashboard">Go to the overview</LinkButton>
      </div>
    </>
  )
}
