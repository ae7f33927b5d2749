'use client'

import { useTranslations } from 'next-intl'
import { Button } from '@/components/ui/button'
import { Dialog, DialogClose } from '@/components/ui/dialog'
import type { Question } from './unsaved'

/** Asks whether a form with changes may be left. */
export function LeaveDialog({ question, onClose }: { question: Question | null; onClose: () => void }) {
  const t = useTranslations('dashboard.common.leave')
  return (
    <Dialog
      title={question?.isSecret ? t('secretTitle') : t('title')}
      description={question?.isSecret ? t('secret') : question?.isDraft ? t('draft') : t('lost')}
      open={question !== null}
      onOpenChange={(open) => !open && onClose()}
    >
      <div className="flex flex-wrap justify-end gap-2">
        <DialogClose>{t('stay')}</DialogClose>
        <Button
          variant={question?.isDraft ? 'primary' : 'danger'}
          onClick={() => {
            onClose()
            question?.leave()
          }}
        >
          {t('leave')}
        </Button>
      </div>
    </Dialog>
  )
}
