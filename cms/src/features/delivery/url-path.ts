import { encodedStep } from '../../base/build-url.ts'
import { hasExcessMarks, lengthOf, normalized, PAGE_SLUG_LENGTH } from '../../base/text.ts'

/**
 * The steps of a path as it was sent, decoded and in one form of Unicode; null where it is not properly encoded, or
 * where a step holds what no text of a database can, or more than 30 combining marks in a row.
 */
export function stepsOf(path: string): string[] | null {
  try {
    const steps = path.split('/').slice(1).map(decodeURIComponent)
    if (steps.some((step) => step.includes('\0') || hasExcessMarks(step))) return null
    return steps.map((step) => normalized(step, 'NFC'))
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
