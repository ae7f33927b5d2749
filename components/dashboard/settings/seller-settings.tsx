import { LOCALES, type Locale, localeOf } from '@/lib/core/locales'
import type { FormAction } from '@/lib/platform/api/form-action'
import { Badge } from '@/components/ui/badge'
import { Card } from '@/components/ui/card'
import { Checkbox } from '@/components/ui/checkbox'
import { CopyButton } from '@/components/ui/copy-button'
import { Fact, Facts } from '@/components/ui/facts'
import { Input } from '@/components/ui/input'
import { Select } from '@/components/ui/select'
import { Time } from '@/components/ui/time'
import { ActionForm, FormField, Submit } from '../forms/action-form'

type Profile = {
  name: string
  terms_url: string | null
  contact_email: string | null
  locale: string | null
  shows_vitrine: boolean
}

const localeName = (locale: Locale) => new Intl.DisplayNames('en', { type: 'language' }).of(locale) ?? locale

/** What recipients and buyers read of the organization. */
export function ProfileCard({
  action,
  profile,
  mayWrite,
}: {
  action: FormAction
  profile: Profile
  mayWrite: boolean
}) {
  return (
    <div id="profile" className="scroll-mt-24">
      <Card
        title="What people see"
        description="On claim, checkout and purchase pages, and in mails. Buyers see the terms and the contact before they pay."
      >
        {mayWrite ? (
          <ActionForm action={action}>
            <FormField name="name" label="Name">
              <Input name="name" defaultValue={profile.name} maxLength={255} autoComplete="organization" required />
            </FormField>
            <FormField name="terms_url" label="Terms" hint="The page with your terms of sale." optional>
              <Input
                name="terms_url:null"
                type="url"
                defaultValue={profile.terms_url ?? ''}
                placeholder="https://gallery.example.com/terms"
              />
            </FormField>
            <FormField name="contact_email" label="Contact" hint="Where people can write to you." optional>
              <Input
                name="contact_email:null"
                type="email"
                defaultValue={profile.contact_email ?? ''}
                placeholder="hello@gallery.example.com"
              />
            </FormField>
            <FormField
              name="locale"
              label="Language"
              hint="Of your pages and mails, for people whose language isn’t known."
            >
              <Select name="locale" defaultValue={profile.locale ?? 'en'}>
                {LOCALES.map((locale) => (
                  <option key={locale} value={locale}>
                    {localeName(locale)}
                  </option>
                ))}
              </Select>
            </FormField>
            <input type="hidden" name="shows_vitrine:flag" value="false" />
            <Checkbox
              name="shows_vitrine:flag"
              label="Show “via Vitrine”"
              hint="A small line on your pages and below your mails, and behind your name as their sender."
              defaultChecked={profile.shows_vitrine}
            />
            <div>
              <Submit>Save what people see</Submit>
            </div>
          </ActionForm>
        ) : (
          <Facts>
            <Fact name="Name">{profile.name}</Fact>
            <Fact name="Terms">{profile.terms_url ?? 'Not set'}</Fact>
            <Fact name="Contact">{profile.contact_email ?? 'Not set'}</Fact>
            <Fact name="Language">{localeName(localeOf(profile.locale))}</Fact>
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
  domain,
  mayWrite,
}: {
  action: FormAction
  domain: WebDomain | null
  mayWrite: boolean
}) {
  return (
    <div id="domain" className="scroll-mt-24">
      <Card
        title="Web domain"
        description="Shown next to your name, so that people know it is really you. We check every day that the domain is still yours."
      >
        <div className="grid gap-5">
          {domain && <DomainState domain={domain} />}
          {mayWrite && (
            <ActionForm action={action}>
              <FormField name="web_domain" label="Domain" optional>
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
                <Submit>{domain ? 'Save and check now' : 'Save and check'}</Submit>
              </div>
            </ActionForm>
          )}
        </div>
      </Card>
    </div>
  )
}

function DomainState({ domain }: { domain: WebDomain }) {
  return (
    <>
      <Facts>
        <Fact name={<span className="text-ink wrap-anywhere">{domain.name}</span>}>
          {domain.is_shown ? (
            <Badge tone="positive">Confirmed and shown</Badge>
          ) : (
            <Badge tone="warning">Not confirmed yet</Badge>
          )}
        </Fact>
        {domain.checked_at && (
          <Fact name="Last checked">
            <Time at={domain.checked_at} />
          </Fact>
        )}
      </Facts>
      <div className="grid gap-2 text-sm">
        <p>Add this TXT record at your DNS provider, and leave it there:</p>
        <Facts className="rounded-md border px-4">
          <Copied name="Name" text={domain.record_name} />
          <Copied name="Value" text={domain.value} />
        </Facts>
        <p className="text-muted">
          Or put the value into a text file at <span className="figures break-all">{domain.file_url}</span>.
        </p>
      </div>
    </>
  )
}

function Copied({ name, text }: { name: string; text: string }) {
  return (
    <Fact name={name}>
      <span className="flex items-center gap-1">
        <span className="figures break-all">{text}</span>
        <CopyButton text={text} label={`Copy the ${name.toLowerCase()}`} />
      </span>
    </Fact>
  )
}
