'use client'

import { Button } from '@/components/ui/button'
import { Dialog, DialogClose } from '@/components/ui/dialog'
import type { Question } from './unsaved'

/** Asks whether a form with changes may be left. */
export default function LeaveDialog({ question, onClose }: { question: Question | null; onClose: () => void }) {
  return (
    <Dialog
      title="Leave without saving?"
      description={
        question?.isDraft
          ? 'What you entered stays in this browser as a draft. You can restore it when you come back.'
          : 'Changes since the last save will be lost.'
      }
      open={question !== null}
      onOpenChange={(open) => !open && onClose()}
    >
      <div className="flex flex-wrap justify-end gap-2">
        <DialogClose>Stay here</DialogClose>
        <Button
          variant={question?.isDraft ? 'primary' : 'danger'}
          onClick={() => {
            onClose()
            question?.leave()
          }}
        >
          Leave
        </Button>
      </div>
    </Dialog>
  )
}
