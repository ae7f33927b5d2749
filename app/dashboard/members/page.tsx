import { getTranslations } from 'next-intl/server'
import { titled } from '@/app/language/titled'
import { FormError } from '@/components/dashboard/forms/action-form'
import { ConfirmAction } from '@/components/dashboard/forms/confirm-action'
import { ListPage } from '@/components/dashboard/lists/list-page'
import { InviteForm } from '@/components/dashboard/members/member-form'
import { MemberPermissions } from '@/components/dashboard/members/member-permissions'
import { Badge, StateBadge } from '@/components/ui/badge'
import { Button } from '@/components/ui/button'
import { Card } from '@/components/ui/card'
import { Choices, Radio } from '@/components/ui/checkbox'
import { DataTable } from '@/components/ui/data-table'
import { RelativeTime } from '@/components/ui/relative-time'
import { shownEmail } from '@/lib/core/shown-email'
import * as api from '@/lib/platform/api/members'
import { ROLES } from '@/lib/platform/api/permissions'
import { may } from '@/lib/platform/auth/context'
import { dashboardContext } from '@/lib/platform/auth/dashboard'
import { memberIdOf } from '@/lib/platform/auth/person'
import { readQuery } from '@/lib/platform/http/page-query'
import { getMember } from '@/lib/members/get-member'
import { listMembers } from '@/lib/members/list-members'
import { changeRoleAction, inviteAction, leaveAction, removeAction, resendAction } from './actions'

export const generateMetadata = titled('dashboard.members', 'title')

const path = '/dashboard/members'

export default async function MembersPage({ searchParams }: PageProps<'/dashboard/members'>) {
  const ctx = await dashboardContext()
  const query = readQuery(api.listMembers.query, await searchParams)
  const [members, me] = await Promise.all([
    listMembers(ctx, { ...query, limit: Math.min(query.limit, 50) }),
    getMember(ctx, memberIdOf(ctx) ?? ''),
  ])
  const [t, tRoles] = await Promise.all([
    getTranslations('dashboard.members'),
    getTranslations('dashboard.common.roles'),
  ])
  const mayWrite = may(ctx, 'members:write')
  const roles = ROLES.slice(ROLES.indexOf(me.role))
  return (
    <>
      <ListPage
        path={path}
        title={t('title')}
        description={t('lead')}
        above={
          mayWrite && (
            <Card title={t('invite')} description={t('inviteLead')}>
              <InviteForm action={inviteAction} roles={roles} />
            </Card>
          )
        }
        noun={[t('noun.one'), t('noun.other')]}
        page={members}
        query={query}
        empty={{ title: t('none'), children: t('noneLead') }}
      >
        <Card flush>
          <DataTable
            caption={t('title')}
            rows={members.results.map((member) => ({
              ...member,
              self: member.id === me.id,
              reach: mayWrite && roles.includes(member.role),
            }))}
            columns={[
              {
                label: t('member'),
                cell: (member) => (
                  <span className="flex flex-wrap items-center gap-x-2 gap-y-1">
                    <span className="wrap-anywhere">{shownEmail(member.email)}</span>
                    {member.self && <Badge tone="info">{t('you')}</Badge>}
                  </span>
                ),
              },
              { label: t('role'), cell: (member) => tRoles(member.role) },
              {
                label: t('state'),
                cell: (member) =>
                  member.status === 'ACTIVE' ? (
                    <StateBadge state="ACTIVE" />
                  ) : (
                    <StateBadge state="INVITED" label={t('invited')} tone="info" />
                  ),
              },
              {
                label: t('since'),
                cell: (member) => <RelativeTime at={member.joined_at ?? member.invited_at ?? member.created_at} />,
              },
              {
                label: t('actions'),
                actions: true,
                cell: (member) => (
                  <span className="inline-flex flex-wrap gap-2 sm:justify-end">
                    {member.reach && member.status === 'INVITED' && (
                      <ConfirmAction
                        action={resendAction.bind(null, member.id)}
                        trigger={
                          <Button size="sm" variant="quiet" aria-label={t('resendFor', { email: member.email })}>
                            {t('resend')}
                          </Button>
                        }
                        title={t('resendTitle')}
                        description={t('resendLead', { email: member.email })}
                        confirm={t('resendIt')}
                        tone="primary"
                      />
                    )}
                    {member.reach && (
                      <ConfirmAction
                        action={changeRoleAction.bind(null, member.id)}
                        draft={`role/${member.id}`}
                        opened={{ role: member.role }}
                        trigger={
                          <Button size="sm" variant="quiet" aria-label={t('changeFor', { email: member.email })}>
                            {t('change')}
                          </Button>
                        }
                        title={member.self ? t('changeOwn') : t('changeTitle', { email: member.email })}
                        description={t('changeLead')}
                        confirm={t('changeIt')}
                        tone="primary"
                      >
                        <Choices legend={t('role')}>
                          {roles.map((role) => (
                            <Radio
                              key={role}
                              name="role"
                              value={role}
                              defaultChecked={role === member.role}
                              label={tRoles(role)}
                              hint={t(`hints.${role}`)}
                            />
                          ))}
                        </Choices>
                        <FormError name="role" />
                      </ConfirmAction>
                    )}
                    {member.self ? (
                      <ConfirmAction
                        action={leaveAction}
                        trigger={
                          <Button size="sm" variant="danger">
                            {t('leave')}
                          </Button>
                        }
                        title={t('leaveTitle')}
                        description={t('leaveLead')}
                        confirm={t('leaveIt')}
                        type={shownEmail(member.email)}
                      />
                    ) : (
                      member.reach && (
                        <ConfirmAction
                          action={removeAction.bind(null, member.id)}
                          trigger={
                            <Button size="sm" variant="danger" aria-label={t('removeFor', { email: member.email })}>
                              {t('remove')}
                            </Button>
                          }
                          title={t('removeTitle', { email: member.email })}
                          description={t('removeLead')}
                          confirm={t('removeIt')}
                          type={shownEmail(member.email)}
                        />
                      )
                    )}
                  </span>
                ),
              },
            ]}
          />
        </Card>
      </ListPage>
      <MemberPermissions />
    </>
  )
}
