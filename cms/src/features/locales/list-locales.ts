import type { Context } from '../../engine/context.ts'
import { roleOf, seesLocale } from '../../engine/permissions.ts'
import { hasRole } from '../../model/terms/roles.ts'

/** The locales that the caller may know of, by name (§2.6). */
export async function listLocales(ctx: Context): Promise<object> {
  const _edit = hasRole(roleOf(ctx.actor), 'contributor')
  const seen = [...ctx.site.locales.values()].filter(({ name }) => seesLocale(ctx, name))
  return Object.fromEntries(
    seen.map(({ name, label, prefix, hostname, private: isPrivate, direction }) => [
      name,
      {
        label,
        _edit,
        direction,
        ...(prefix === '' ? {} : { prefix: decodeURI(prefix) }),
        ...(hostname === null ? {} : { hostname }),
        ...(isPrivate ? { private: true } : {}),
      },
    ]),
  )
}
