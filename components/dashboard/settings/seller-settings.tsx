import { useLocale, useTranslations } from 'next-intl'
import { DEFAULT_LOCALE, LOCALES, type Locale, localeOf } from '@/lib/core/locales'
import type { FormAction, Opened } from '@/lib/platform/api/form-action'
import { Badge } from '@/components/ui/badge'
import { Card } from '@/components/ui/card'
import { Checkbox } from '@/components/ui/checkbox'
import { CopyButton } from '@/components/ui/copy-button'
import { Fact, Facts } from '@/components/ui/facts'
import { Input } from '@/components/ui/input'
import { Select } from '@/components/ui/select'
import { Sentence } from '@/components/ui/sentence'
import { Time } from '@/components/ui/time'
import { ActionForm, FormField, Submit } from '../forms/action-form'

type Profile = {
  name: string
  terms_url: string | null
  contact_email: string | null
  locale: string | null
  shows_vitrine: boolean
}

/** The name of a language in the page's. */
const localeName = (locale: Locale, of: string) => new Intl.DisplayNames(of, { type: 'language' }).of(locale) ?? locale

/** The details of the organization that recipients and buyers read. */
export function ProfileCard({
  action,
  opened,
  profile,
  mayWrite,
}: {
  action: FormAction
  opened: Opened
  profile: Profile
  mayWrite: boolean
}) {
  const t = useTranslations('dashboard.settings')
  const pageLocale = useLocale()
  return (
    <div id="profile" className="scroll-mt-24">
      <Card title={t('profile.title')} description={t('profile.lead')}>
        {mayWrite ? (
          <ActionForm action={action} opened={opened}>
            <FormField name="name" label={t('profile.name')}>
              <Input name="name" defaultValue={profile.name} maxLength={255} autoComplete="organization" required />
            </FormField>
            <FormField name="terms_url" label={t('profile.terms')} hint={t('profile.termsHint')} optional>
              <Input
                name="terms_url:null"
                type="url"
                defaultValue={profile.terms_url ?? ''}
                placeholder="https://gallery.example.com/terms"
              />
            </FormField>
            <FormField name="contact_email" label={t('profile.contact')} hint={t('profile.contactHint')} optional>
              <Input
                name="contact_email:null"
                type="email"
                defaultValue={profile.contact_email ?? ''}
                placeholder="hello@gallery.example.com"
              />
            </FormField>
            <FormField name="locale" label={t('profile.language')} hint={t('profile.languageHint')}>
              <Select name="locale:null" defaultValue={profile.locale ?? ''}>
                <option value="">
                  {t('profile.languageUnset', { language: localeName(DEFAULT_LOCALE, pageLocale) })}
                </option>
                {LOCALES.map((locale) => (
                  <option key={locale} value={locale}>
                    {localeName(locale, pageLocale)}
                  </option>
                ))}
              </Select>
            </FormField>
            <input type="hidden" name="shows_vitrine:flag" value="false" />
            <Checkbox
              name="shows_vitrine:flag"
              label={t('profile.vitrine')}
              hint={t('profile.vitrineHint')}
              defaultChecked={profile.shows_vitrine}
            />
            <div>
              <Submit>{t('profile.save')}</Submit>
            </div>
          </ActionForm>
        ) : (
          <Facts>
            <Fact name={t('profile.name')}>{profile.name}</Fact>
            <Fact name={t('profile.terms')}>{profile.terms_url ?? t('notSet')}</Fact>
            <Fact name={t('profile.contact')}>{profile.contact_email ?? t('notSet')}</Fact>
            <Fact name={t('profile.language')}>{localeName(localeOf(profile.locale), pageLocale)}</Fact>
          </Facts>
        )}
      </Card>
    </div>
  )
}

type WebDomain = {
  name: string
  is_shown: boolean
  checked_at: Date | string | null
  record_name: string
  file_url: string
  value: string
}

/** The domain that people see beside the name, once its owner confirmed it. */
export function DomainCard({
  action,
  opened,
  domain,
  mayWrite,
}: {
  action: FormAction
  opened: Opened
  domain: WebDomain | null
  mayWrite: boolean
}) {
  const t = useTranslations('dashboard.settings.domain')
  return (
    <div id="domain" className="scroll-mt-24">
      <Card title={t('title')} description={t('lead')}>
        <div className="grid gap-5">
          {domain && <DomainState domain={domain} />}
          {mayWrite && (
            <ActionForm action={action} opened={opened}>
              <FormField name="web_domain" label={t('domain')} optional>
                <Input
                  name="web_domain:null"
                  defaultValue={domain?.name ?? ''}
                  placeholder="gallery.example.com"
                  spellCheck={false}
                  autoComplete="off"
                  autoCapitalize="none"
                  className="figures"
                />
              </FormField>
              <div>
                <Submit>{domain ? t('saveAndCheckNow') : t('saveAndCheck')}</Submit>
              </div>
            </ActionForm>
          )}
        </div>
      </Card>
    </div>
  )
}

function DomainState({ domain }: { domain: WebDomain }) {
  const t = useTranslations('dashboard.settings.domain')
  return (
    <>
      <Facts>
        <Fact name={<span className="text-ink wrap-anywhere">{domain.name}</span>}>
          {domain.is_shown ? (
            <Badge tone="positive">{t('confirmed')}</Badge>
          ) : (
            <Badge tone="warning">{t('notConfirmed')}</Badge>
          )}
        </Fact>
        {domain.checked_at && (
          <Fact name={t('checked')}>
            <Time at={domain.checked_at} />
          </Fact>
        )}
      </Facts>
      <div className="grid gap-2 text-sm">
        <p>{t('record')}</p>
        <Facts className="rounded-md border px-4">
          <Copied name={t('name')} copy={t('copyName')} text={domain.record_name} />
          <Copied name={t('value')} copy={t('copyValue')} text={domain.value} />
        </Facts>
        <p className="text-muted">
          <Sentence>
            {t.rich('file', { url: () => <span className="figures break-all">{domain.file_url}</span> })}
          </Sentence>
        </p>
      </div>
    </>
  )
}

function Copied({ name, copy, text }: { name: string; copy: string; text: string }) {
  return (
    <Fact name={name}>
      <span className="flex items-center gap-1">
        <span className="figures break-all">{text}</span>
        <CopyButton text={text} label={copy} />
      </span>
    </Fact>
  )
}
