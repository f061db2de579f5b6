import type { Site, Type } from '../../model/declared/types.ts'

/** An operation on pieces of a type that some sites can only refuse. */
export type Operation =
  | 'insert'
  | 'remove'
  | 'publish'
  | 'unpublish'
  | 'revert-draft-to-published'
  | 'revert-published-to-previous'
  | 'archive'
  | 'restore'
  | 'localize'

/** There is always exactly one document of a singleton type. */
const NEVER_OF_SINGLETONS: ReadonlySet<Operation> = new Set(['insert', 'remove', 'unpublish', 'archive'])
/** Types without locales have no drafts. */
const NEVER_WITHOUT_LOCALES: ReadonlySet<Operation> = new Set([
  'publish',
  'unpublish',
  'revert-draft-to-published',
  'revert-published-to-previous',
  'localize',
])

/** Says why the operation is refused on this site for every document of the type (§7); null where it is not. */
export function whyRefused({ locales }: Site, type: Type, operation: Operation): string | null {
  const { label, localized, singleton, versions } = type
  if (singleton && NEVER_OF_SINGLETONS.has(operation)) {
    return `${label} is a singleton: there is always exactly one. Change it with PATCH.`
  }
  if (!localized && NEVER_WITHOUT_LOCALES.has(operation)) {
    return `${label} has no locales and no drafts: every save is live at once.`
  }
  if (operation === 'localize') return locales.size < 2 ? 'This site has one locale only.' : null
  const needsVersions = operation === 'revert-published-to-previous'
  return needsVersions && !versions ? `${label} has no versions, so no publication before this one is known.` : null
}
