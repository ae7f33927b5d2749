import { useContext } from 'react'
import { useTranslations } from 'next-intl'
import type { TemplateBlock, TemplateDraft } from '@/lib/platform/api/email-templates'
import { Alert } from '@/components/ui/alert'
import { Button } from '@/components/ui/button'
import { FormContext } from '../forms/action-form'

/**
 * The template that somebody else saved while the editor was open. It can be taken over, or replaced by saving again.
 */
export function TemplateMeanwhile({ take }: { take: (theirs: TemplateDraft) => void }) {
  const t = useTranslations('dashboard.campaigns.editor')
  const { state } = useContext(FormContext)
  if (!state || state.ok || !state.opened) return null
  const theirs = state.opened as Partial<TemplateDraft>
  if (theirs.subject === undefined) return <Alert tone="info" title={t('resetMeanwhile')} />
  const draft: TemplateDraft = { subject: '', text: '', format: 'MJML', body: '', blocks: null, ...theirs }
  return (
    <Alert
      tone="info"
      title={t('theirs')}
      action={
        <Button size="sm" onClick={() => take(draft)}>
          {t('takeTheirs')}
        </Button>
      }
    >
      <div className="grid gap-2">
        <p className="font-medium wrap-anywhere">{draft.subject}</p>
        <pre tabIndex={0} className="max-h-60 overflow-y-auto font-sans whitespace-pre-wrap wrap-anywhere">
          {wordsOf(draft)}
        </pre>
      </div>
    </Alert>
  )
}

const wordsOf = ({ blocks, text, body }: TemplateDraft): string =>
  (blocks ? blocks.map(wordsOfBlock) : [text, body]).filter(Boolean).join('\n\n')

function wordsOfBlock(block: TemplateBlock): string {
  if (block.type === 'PICTURE') return block.alt
  if (block.type === 'BUTTON') return block.label
  return 'text' in block ? block.text : ''
}
