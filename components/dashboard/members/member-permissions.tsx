import { useTranslations } from 'next-intl'
import { Card } from '@/components/ui/card'
import { Table, Tbody, Td, Th, Thead, Tr } from '@/components/ui/table'
import { AREAS, ROLE_PERMISSIONS, ROLES } from '@/lib/platform/api/permissions'
import type { Area, Permission, Role } from '@/lib/platform/api/permissions'

const reachOf = (role: Role, area: Area): 'write' | 'read' | null => {
  const held: readonly Permission[] = ROLE_PERMISSIONS[role]
  if (held.includes(`${area}:write`)) return 'write'
  return held.includes(`${area}:read`) ? 'read' : null
}

/** The permissions of each role, from the table that authorizes requests. */
export function MemberPermissions() {
  const t = useTranslations('dashboard.members')
  const tRoles = useTranslations('dashboard.common.roles')
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
                  <Td key={role} label={tRoles(role)}>
                    <span className={reach === 'write' ? undefined : 'text-muted'}>
                      {reach ? t(`may.${reach}`) : '–'}
                    </span>
                  </Td>
                )
              })}
            </Tr>
          ))}
        </Tbody>
      </Table>
    </Card>
  )
}
