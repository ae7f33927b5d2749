import { Step } from '@/components/shared/step'

export default function NothingHere() {
  return (
    <Step
      title="This page is over"
      lead="Its link doesn’t work any more. Go back to where you came from and start again."
      takeFocus={false}
      level={1}
    />
  )
}
