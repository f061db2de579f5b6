import { isObject } from '../../base/json.ts'
import type { ContentType } from '../declared/content-type.ts'
import type { ParkedPage, Type } from '../declared/types.ts'
import type { Report } from '../terms/configuration-error.ts'
import { BUILT_IN_PAGES } from './built-in-types.ts'
import type { Naming } from './check-declarations.ts'
import type { CheckedParkedPage } from './site-schema.ts'

/** The types of home and archive, unless the site declares them itself. */
export function undeclaredPages(types: readonly unknown[], { fullName }: Naming): ContentType[] {
  const declared = new Set(types.map((one) => (isObject(one) ? fullName(String(one.name)) : '')))
  return BUILT_IN_PAGES.filter(({ name }) => !declared.has(fullName(name)))
}

/** Home and archive, then what the site parks (§4.2), each checked. */
export function compileParked(
  declared: readonly CheckedParkedPage[],
  { fullName }: Naming,
  types: ReadonlyMap<string, Type>,
  report: Report,
): ParkedPage[] {
  const parked: ParkedPage[] = [
    ...BUILT_IN.map((page) => ({ ...page, type: fullName(page.type) })),
    ...declared.map((page) => ({ ...page, type: fullName(page.type) })),
  ]
  const seen = { parkedId: new Set<string>(), slug: new Set<string>() }
  parked.forEach((page, index) => {
    const path = String(index - BUILT_IN.length)
    checkParked(page, types, (step, message) => report(`${path}.${step}`, message))
    for (const name of ['parkedId', 'slug'] as const) {
      if (seen[name].has(page[name]))
        report(`${path}.${name}`, `"${page[name]}" already belongs to another built-in page`)
      seen[name].add(page[name])
    }
  })
  return parked
}

const FIXED = ['slug', 'parkedId']

const BUILT_IN: readonly ParkedPage[] = [
  { parkedId: 'home', type: '@cms/home-page', title: 'Home', slug: '/', fields: {}, fixed: FIXED },
  { parkedId: 'archive', type: '@cms/archive-page', title: 'Archive', slug: '/archive', fields: {}, fixed: FIXED },
]

function checkParked(page: ParkedPage, types: ReadonlyMap<string, Type>, report: Report): void {
  const type = types.get(page.type)
  if (type?.family !== 'page') {
    report('type', `"${page.type}" is not a page type`)
    return
  }
  for (const [option, names] of [
    ['fixed', page.fixed.filter((name) => name !== 'parkedId')],
    ['fields', Object.keys(page.fields)],
  ] as const) {
    for (const name of names) {
      if (!type.fields.byName.has(name)) report(option, `"${name}" is not a field of ${type.name}`)
    }
  }
}
