import type { Metadata } from 'next'
import type { ReactNode } from 'react'
import { Link } from '@/components/ui/link'
import { getLocale, getTranslations } from 'next-intl/server'
import { chooseLanguage } from '@/app/language/choose-language'
import { Texts } from '@/app/language/texts'
import { DraftOwner } from '@/components/dashboard/forms/draft-owner'
import { KeepFocus } from '@/components/dashboard/forms/keep-focus'
import { LeaveGuard } from '@/components/dashboard/forms/leave-guard'
import { SavedViews } from '@/components/dashboard/lists/saved-views'
import { ForgetShown } from '@/components/dashboard/shell/forget-shown'
import { PhoneNav, SideNav } from '@/components/dashboard/shell/nav'
import { OrganizationSwitcher } from '@/components/dashboard/shell/organization-switcher'
import { Palette, PaletteButton } from '@/components/dashboard/shell/palette'
import { SignOut } from '@/components/dashboard/shell/sign-out'
import { LanguageSwitch } from '@/components/shared/language-switch'
import { PageLanguage } from '@/components/shared/page-language'
import { ThemeToggle } from '@/components/ui/theme'
import { Toaster } from '@/components/ui/toaster'
import { Wordmark } from '@/components/ui/wordmark'
import { DASHBOARD_LOCALES, dirOf } from '@/lib/core/locales'
import { type Context, heldPermissions } from '@/lib/platform/auth/context'
import { dashboardVisit } from '@/lib/platform/auth/dashboard'
import { listViews } from '@/lib/members/saved-views/list-views'
import { chooseOrganization, signOut } from './actions'
import { deleteViewAction, renameViewAction, saveViewAction } from './saved-views'
import { SuspensionBar } from './suspension-bar'

export async function generateMetadata(): Promise<Metadata> {
  const t = await getTranslations('dashboard.shell')
  return { title: { default: t('title'), template: '%s · Vitrine' }, robots: { index: false } }
}

export default async function DashboardLayout({ children }: { children: ReactNode }) {
  const [{ ctx, memberships }, t, locale] = await Promise.all([
    dashboardVisit(),
    getTranslations('dashboard.shell'),
    getLocale(),
  ])
  // The dashboard's context is always a member's.
  const { email, id } = ctx.actor as Extract<typeof ctx.actor, { type: 'member' }>
  const person = (
    <div className="grid grid-cols-[minmax(0,1fr)_auto] items-center gap-3 text-sm">
      <div className="col-span-2 text-muted">
        <LanguageSwitch choose={chooseLanguage} among={DASHBOARD_LOCALES} />
      </div>
      <div className="min-w-0">
        <OrganizationSwitcher current={ctx.organizationId} memberships={memberships} choose={chooseOrganization} />
        <p className="truncate text-muted" title={email}>
          {email}
        </p>
      </div>
      <SignOut action={signOut} />
    </div>
  )
  return (
    <Texts of={['dashboard.shell']}>
      <PageLanguage locale={locale} dir={dirOf(locale)} />
      <Palette permissions={heldPermissions(ctx)}>
        <div className="lg:grid lg:min-h-dvh lg:grid-cols-[15rem_minmax(0,1fr)]">
          <a
            href="#content"
            className={
              'sr-only rounded-md bg-ink text-wall focus:not-sr-only focus:fixed focus:top-3 focus:left-3 ' +
              'focus:z-50 focus:px-4 focus:py-2'
            }
          >
            {t('skip')}
          </a>
          <header className="sticky top-0 z-20 border-b bg-pane lg:hidden">
            <div className="flex items-center justify-between gap-2 px-3 py-2">
              <PhoneNav>{person}</PhoneNav>
              <Link href="/dashboard" className="rounded-sm" aria-label={t('home')}>
                <Wordmark />
              </Link>
              <span className="flex">
                <PaletteButton small />
                <ThemeToggle />
              </span>
            </div>
          </header>
          <aside aria-label={t('aside')} className="hidden border-r bg-pane lg:block">
            <div
              className={
                'sticky top-0 grid h-dvh grid-rows-[auto_minmax(12rem,1fr)_auto] ' +
                'overflow-y-auto overscroll-contain'
              }
            >
              <div className="grid gap-4 px-4 pt-5 pb-4">
                <div className="flex items-center justify-between pl-3">
                  <Link href="/dashboard" className="rounded-sm" aria-label={t('home')}>
                    <Wordmark />
                  </Link>
                  <ThemeToggle />
                </div>
                <PaletteButton />
              </div>
              <div className="overflow-y-auto overscroll-contain px-4 pb-4">
                <SideNav />
              </div>
              <div className="border-t py-3 pr-4 pl-7">{person}</div>
            </div>
          </aside>
          <main id="content" tabIndex={-1} className="min-w-0 outline-none">
            <div className="mx-auto grid w-full max-w-6xl grid-cols-[minmax(0,1fr)] gap-7 px-5 py-8 sm:px-8 lg:py-10">
              <SuspensionBar ctx={ctx} />
              <DraftOwner owner={`${ctx.organizationId}/${id}`}>
                <MemberViews ctx={ctx}>{children}</MemberViews>
              </DraftOwner>
            </div>
          </main>
          <Toaster />
          <ForgetShown />
          <LeaveGuard />
          <KeepFocus />
        </div>
      </Palette>
    </Texts>
  )
}

/** Read while the page is read. */
async function MemberViews({ ctx, children }: { ctx: Context; children: ReactNode }) {
  const actions = { save: saveViewAction, rename: renameViewAction, remove: deleteViewAction }
  return (
    <SavedViews views={await listViews(ctx)} actions={actions}>
      {children}
    </SavedViews>
  )
}
