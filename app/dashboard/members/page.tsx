import type { Metadata } from 'next'
import { ConfirmAction } from '@/components/dashboard/forms/confirm-action'
import { ListPage } from '@/components/dashboard/lists/list-page'
import { InviteForm } from '@/components/dashboard/members/member-form'
import { MemberPermissions } from '@/components/dashboard/members/member-permissions'
import { ROLE_HINTS } from '@/components/dashboard/members/member-labels'
import { Badge, StateBadge } from '@/components/ui/badge'
import { Button } from '@/components/ui/button'
import { Card } from '@/components/ui/card'
import { Choices, Radio } from '@/components/ui/checkbox'
import { Table, Tbody, Td, Th, Thead, Tr } from '@/components/ui/table'
import { RelativeTime } from '@/components/ui/relative-time'
import * as api from '@/lib/platform/api/members'
import { ROLE_NAMES, ROLES } from '@/lib/platform/api/permissions'
import { may } from '@/lib/platform/auth/context'
import { dashboardContext } from '@/lib/platform/auth/dashboard'
import { memberIdOf } from '@/lib/platform/auth/person'
import { readQuery } from '@/lib/platform/http/page-query'
import { getMember } from '@/lib/members/get-member'
import { listMembers } from '@/lib/members/list-members'
import { changeRoleAction, inviteAction, leaveAction, removeAction, resendAction } from './actions'

export const metadata: Metadata = { title: 'Members' }

const path = '/dashboard/members'

export default async function MembersPage({ searchParams }: PageProps<'/dashboard/members'>) {
  const ctx = await dashboardContext()
  const query = readQuery(api.listMembers.query, await searchParams)
  const [members, me] = await Promise.all([
    listMembers(ctx, { ...query, limit: Math.min(query.limit, 50) }),
    getMember(ctx, memberIdOf(ctx) ?? ''),
  ])
  const mayWrite = may(ctx, 'members:write')
  const roles = ROLES.slice(ROLES.indexOf(me.role))
  return (
    <>
      <ListPage
        path={path}
        title="Members"
        description="Who works in this organization. An invitation is a link by email: there is no password to set."
        above={
          mayWrite && (
            <Card title="Invite a member" description="The link works once, within seven days.">
              <InviteForm action={inviteAction} roles={roles} />
            </Card>
          )
        }
        noun={['member', 'members']}
        page={members}
        cursor={query.cursor}
        empty={{ title: 'No members here', children: 'This page is past the end of the list.' }}
      >
        <Card flush>
          <Table caption="Members">
            <Thead>
              <Th>Member</Th>
              <Th>Role</Th>
              <Th>State</Th>
              <Th>Since</Th>
              <Th>
                <span className="sr-only">Actions</span>
              </Th>
            </Thead>
            <Tbody>
              {members.results.map((member) => {
                const self = member.id === me.id
                const reach = mayWrite && roles.includes(member.role)
                return (
                  <Tr key={member.id}>
                    <Td rowHeader>
                      <span className="flex flex-wrap items-center gap-x-2 gap-y-1">
                        <span className="wrap-anywhere">{member.email}</span>
                        {self && <Badge tone="info">You</Badge>}
                      </span>
                    </Td>
                    <Td label="Role">{ROLE_NAMES[member.role]}</Td>
                    <Td label="State">
                      {member.status === 'ACTIVE' ? (
                        <StateBadge state="ACTIVE" />
                      ) : (
                        <StateBadge state="INVITED" label="Invited" tone="info" />
                      )}
                    </Td>
                    <Td label="Since">
                      <RelativeTime at={member.joined_at ?? member.invited_at ?? member.created_at} />
                    </Td>
                    <Td align="right">
                      <span className="inline-flex flex-wrap gap-2 sm:justify-end">
                        {reach && member.status === 'INVITED' && (
                          <ConfirmAction
                            action={resendAction.bind(null, member.id)}
                            trigger={
                              <Button size="sm" variant="quiet" aria-label={`Resend the invitation of ${member.email}`}>
                                Resend
                              </Button>
                            }
                            title="Mail the invitation again?"
                            description={`${member.email} gets a new link, good for another seven days.`}
                            confirm="Mail it again"
                            tone="primary"
                          />
                        )}
                        {reach && (
                          <ConfirmAction
                            action={changeRoleAction.bind(null, member.id)}
                            trigger={
                              <Button size="sm" variant="quiet" aria-label={`Change role of ${member.email}`}>
                                Change role
                              </Button>
                            }
                            title={self ? 'Change your own role' : `Change the role of ${member.email}`}
                            description="It applies immediately, also to their API keys."
                            confirm="Change it"
                            tone="primary"
                          >
                            <Choices legend="Role">
                              {roles.map((role) => (
                                <Radio
                                  key={role}
                                  name="role"
                                  value={role}
                                  defaultChecked={role === member.role}
                                  label={ROLE_NAMES[role]}
                                  hint={ROLE_HINTS[role]}
                                />
                              ))}
                            </Choices>
                          </ConfirmAction>
                        )}
                        {self ? (
                          <ConfirmAction
                            action={leaveAction}
                            trigger={
                              <Button size="sm" variant="danger">
                                Leave
                              </Button>
                            }
                            title="Leave this organization?"
                            description="Your API keys stop working immediately. To come back, you need a new invitation."
                            confirm="Leave it"
                            type={member.email}
                          />
                        ) : (
                          reach && (
                            <ConfirmAction
                              action={removeAction.bind(null, member.id)}
                              trigger={
                                <Button size="sm" variant="danger" aria-label={`Remove ${member.email}`}>
                                  Remove
                                </Button>
                              }
                              title={`Remove ${member.email}?`}
                              description="They lose access immediately and their API keys stop working: check first what uses them. Their actions stay in the audit log."
                              confirm="Remove them"
                              type={member.email}
                            />
                          )
                        )}
                      </span>
                    </Td>
                  </Tr>
                )
              })}
            </Tbody>
          </Table>
        </Card>
      </ListPage>
      <MemberPermissions />
    </>
  )
}
