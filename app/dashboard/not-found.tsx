import { LinkButton } from '@/components/ui/button'
import { PageHeader } from '@/components/ui/page-header'

export default function NothingHere() {
  return (
    <>
      <PageHeader
        title="There is nothing here"
        description="This address shows nothing of your organization. It may have been deleted, or never was."
      />
      <div>
        <LinkButton href="/dashboard">To the overview</LinkButton>
      </div>
    </>
  )
}
