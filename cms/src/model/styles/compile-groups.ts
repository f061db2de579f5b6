import { didYouMean } from '../../base/did-you-mean.ts'
import type { Report } from '../terms/configuration-error.ts'
import { labelOf } from '../terms/property-labels.ts'
import type { StyleGroup } from './style-fields.ts'
import type { DeclaredGroup } from './style-options.ts'

type Groups = { readonly [name: string]: DeclaredGroup }

/** Tabs, and sections in them (§2.8): each field is in one of them at most. */
export function compileGroups(declared: Groups, names: ReadonlySet<string>, report: Report): StyleGroup[] {
  const taken = new Map<string, string>()
  const compile = (groups: Groups, path: string, level: number): StyleGroup[] =>
    Object.entries(groups).map(([name, { label, fields = [], group }]) => {
      const at = `${path}.${name}`
      for (const field of fields) {
        const other = taken.get(field)
        if (!names.has(field)) report(`${at}.fields`, `"${field}" is not a style field${didYouMean(field, names)}`)
        else if (other !== undefined) report(`${at}.fields`, `"${field}" is in the group "${other}" already`)
        taken.set(field, name)
      }
      if (group && level > 1)
        report(`${at}.group`, 'a group is a tab, a group in it a section; sections have no groups')
      return { name, label: label ?? labelOf(name), fields, groups: compile(group ?? {}, `${at}.group`, level + 1) }
    })
  return compile(declared, 'group', 1)
}
