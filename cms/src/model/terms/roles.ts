/** The roles, cumulative (§5.2). */
export const ROLES = ['guest', 'contributor', 'editor', 'admin'] as const
/** A role; each may do what those before it may (§5.2). */
export type Role = (typeof ROLES)[number]

/** True for the name of a role. */
export function isRole(text: unknown): text is Role {
  return ROLES.some((role) => role === text)
}

/** The highest of some roles; null where there is none. */
export function highestRole(roles: Iterable<Role | null>): Role | null {
  const found = new Set(roles)
  return ROLES.findLast((role) => found.has(role)) ?? null
}

/** True when a caller with `role` has at least `needed`. Anonymous callers have no role. */
export function hasRole(role: Role | null, needed: Role): boolean {
  return role !== null && ROLES.indexOf(role) >= ROLES.indexOf(needed)
}

/** The callers who may see a field: all (`public`), those who see the whole document (null), or those with a role. */
export type Audience = Role | 'public' | null

/** The audience that both of them are for. */
export function stricter(one: Audience, other: Audience): Audience {
  return strictness(one) >= strictness(other) ? one : other
}

function strictness(audience: Audience): number {
  return audience === 'public' ? -2 : audience === null ? -1 : ROLES.indexOf(audience)
}
