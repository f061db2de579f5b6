import { encodedStep } from '../../base/build-url.ts'
import { lengthOf, PAGE_SLUG_LENGTH } from '../../base/text.ts'

/**
 * The steps of a path as it was sent, decoded and in one form of Unicode; null where it is not properly encoded, or
 * holds what no text of a database can.
 */
export function stepsOf(path: string): string[] | null {
  try {
    const steps = path.split('/').slice(1).map(decodeURIComponent)
    return steps.some((step) => step.includes('\0')) ? null : steps.map((step) => step.normalize('NFC'))
  } catch {
    return null
  }
}

/**
 * A path of these steps. Whatever they hold, it begins with one slash, which neither another one nor a backslash
 * follows: no browser takes it for another site.
 */
export function pathOf(steps: readonly string[]): string {
  return `/${steps.map(encodedStep).join('/')}`
}

/** The slugs of pages that a path can begin with: `/`, `/a`, `/a/b`. No slug is longer than they can be. */
export function slugsAt(steps: readonly string[]): string[] {
  const slugs = ['/']
  let slug = ''
  for (const step of steps) {
    slug += `/${step}`
    // A slash that was sent encoded is part of a step.
    if (step.includes('/') || step === '' || lengthOf(slug) > PAGE_SLUG_LENGTH) break
    slugs.push(slug)
  }
  return slugs
}

/** The steps of a path that a page's slug does not take. */
export function stepsBelow(slug: string, steps: readonly string[]): readonly string[] {
  return slug === '/' ? steps : steps.slice(slug.split('/').length - 1)
}
