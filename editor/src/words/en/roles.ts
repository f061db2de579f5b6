import type { Reason, Role } from 'quire-client'

const many: Readonly<Record<Role, string>> = {
  guest: 'guests',
  contributor: 'contributors',
  editor: 'editors',
  admin: 'admins',
}

/** Roles, and why something is off. */
export const roles = {
  reason({ reason, needs }: Reason): string {
    if (reason === 'parked') return 'This page is part of the site: only its declaration changes this.'
    if (reason === 'system') return 'The service keeps this by itself.'
    return needs === undefined ? 'Your role may not do this.' : `Only ${many[needs]} may do this.`
  },
}
