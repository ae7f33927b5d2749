'use client'

import { useRef, useTransition } from 'react'
import { useTranslations } from 'next-intl'
import { Check, ChevronsUpDown } from 'lucide-react'
import { Menu, MenuItem } from '@/components/ui/menu'
import type { Role } from '@/lib/platform/api/permissions'
import { leaveBy } from '../forms/unsaved'

type Membership = { organizationId: string; name: string; role: Role }
type Props = { current: string; memberships: Membership[]; choose: (organizationId: string) => Promise<void> }

/** The current organization and a menu of the member's others. With only one, just its name. */
export function OrganizationSwitcher({ current, memberships, choose }: Props) {
  const t = useTranslations('dashboard')
  const [busy, begin] = useTransition()
  const place = useRef<HTMLDivElement>(null)
  const chosen = memberships.find(({ organizationId }) => organizationId === current)
  if (!chosen) return null
  if (memberships.length === 1) return <p className="font-medium wrap-anywhere">{chosen.name}</p>
  return (
    <div ref={place}>
      <Menu
        container={place}
        trigger={
          <button
            type="button"
            aria-label={t('shell.organization.change', { name: chosen.name })}
            aria-busy={busy || undefined}
            className={
              '-mx-2 flex min-h-9 w-[calc(100%+1rem)] items-center justify-between gap-2 rounded-md px-2 ' +
              'text-start font-medium transition-colors hover:bg-well aria-busy:opacity-60'
            }
          >
            <span className="min-w-0 wrap-anywhere">{chosen.name}</span>
            <ChevronsUpDown aria-hidden="true" className="size-4 shrink-0 text-muted" />
          </button>
        }
      >
        {memberships.map(({ organizationId, name, role }) => (
          <MenuItem
            key={organizationId}
            icon={
              <Check
                aria-hidden="true"
                className={organizationId === current ? 'size-4 text-glass' : 'invisible size-4'}
              />
            }
            onSelect={() => {
              if (organizationId !== current) leaveBy(() => begin(() => choose(organizationId)))
            }}
          >
            <span className="grid max-w-64 min-w-0">
              <span className="wrap-anywhere">
                <span>{name}</span>
                {organizationId === current && <span className="sr-only">{` ${t('shell.organization.current')}`}</span>}
              </span>
              <span className="text-xs text-muted">{t(`common.roles.${role}`)}</span>
            </span>
          </MenuItem>
        ))}
      </Menu>
    </div>
  )
}
