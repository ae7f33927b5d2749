import { useFormatter, useTranslations } from 'next-intl'
import { Card } from '@/components/ui/card'
import { Table, Tbody, Td, Th, Thead, Tr } from '@/components/ui/table'
import { AREAS, ROLE_PERMISSIONS, ROLES } from '@/lib/platform/api/permissions'
import type { Area, Permission, Role } from '@/lib/platform/api/permissions'

const REACHES = ['write', 'read'] as const

const reachOf = (role: Role, area: Area): 'write' | 'read' | null => {
  const held: readonly Permission[] = ROLE_PERMISSIONS[role]
  if (held.includes(`${area}:write`)) return 'write'
  return held.includes(`${area}:read`) ? 'read' : null
}

/**
 * The permissions of each role, from the table that authorizes requests. A phone has a line for each reach instead of
 * one for each role.
 */
export function MemberPermissions() {
  const t = useTranslations('dashboard.members')
  const tRoles = useTranslations('dashboard.common.roles')
  const format = useFormatter()
  return (
    <Card flush title={t('may.title')} description={t('may.lead')}>
      <Table caption={t('may.caption')}>
        <Thead>
          <Th>{t('may.area')}</Th>
          {ROLES.map((role) => (
            <Th key={role}>{tRoles(role)}</Th>
          ))}
        </Thead>
        <Tbody>
          {AREAS.map((area) => (
            <Tr key={area}>
              <Td rowHeader>{t(`areas.${area}`)}</Td>
              {ROLES.map((role) => {
                const reach = reachOf(role, area)
                return (
                  <Td key={role} className="max-sm:hidden!">
                    <span className={reach === 'write' ? undefined : 'text-muted'}>
                      {reach ? t(`may.${reach}`) : '–'}
                    </span>
                  </Td>
                )
              })}
              {REACHES.map((reach) => {
                const roles = ROLES.filter((role) => reachOf(role, area) === reach)
                return (
                  roles.length > 0 && (
                    <Td key={reach} label={t(`may.${reach}`)} className="sm:hidden">
                      <span className="text-end">
                        {format.list(
                          roles.map((role) => tRoles(role)),
                          { type: 'unit', style: 'short' },
                        )}
                      </span>
                    </Td>
                  )
                )
              })}
            </Tr>
          ))}
        </Tbody>
      </Table>
    </Card>
  )
}
