import { Card } from '@/components/ui/card'
import { Table, Tbody, Td, Th, Thead, Tr } from '@/components/ui/table'
import { AREAS, ROLE_NAMES, ROLE_PERMISSIONS, ROLES } from '@/lib/platform/api/permissions'
import type { Area, Permission, Role } from '@/lib/platform/api/permissions'
import { AREA_NAMES } from './member-labels'

const reachOf = (role: Role, area: Area): string => {
  const held: readonly Permission[] = ROLE_PERMISSIONS[role]
  if (held.includes(`${area}:write`)) return 'See and change'
  return held.includes(`${area}:read`) ? 'See' : '–'
}

/** The permissions of each role, from the table that authorizes requests. */
export function MemberPermissions() {
  return (
    <Card
      flush
      title="What each role may do"
      description="An API key never holds more than the role of the member who made it."
    >
      <Table caption="Permissions of each role">
        <Thead>
          <Th>Area</Th>
          {ROLES.map((role) => (
            <Th key={role}>{ROLE_NAMES[role]}</Th>
          ))}
        </Thead>
        <Tbody>
          {AREAS.map((area) => (
            <Tr key={area}>
              <Td rowHeader>{AREA_NAMES[area]}</Td>
              {ROLES.map((role) => {
                const reach = reachOf(role, area)
                return (
                  <Td key={role} label={ROLE_NAMES[role]}>
                    <span className={reach === 'See and change' ? undefined : 'text-muted'}>{reach}</span>
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
