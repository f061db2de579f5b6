import { invalidFields } from '../../base/errors.ts'
import { sameJson } from '../../base/same-json.ts'
import type { Copies, DocId } from '../../model/document.ts'
import type { Site } from '../../model/types.ts'
import { parkedPage } from './parked.ts'

/** Throws `invalid`, naming them, when a save has changed fields that are fixed on a built-in page (§4.2). */
export function assertParkedKept(site: Site, docId: DocId, before: Copies, after: Copies): void {
  const fixed = parkedPage(site, docId)?.fixed ?? []
  const problems = fixed.flatMap((name) => {
    const isKept = (['draft', 'published'] as const).every((mode) => {
      return before[mode] === null || sameJson(before[mode].fields[name], after[mode]?.fields[name])
    })
    const message = `This page is built in: its ${name} is fixed.`
    return isKept ? [] : [{ path: name, name: 'invalid' as const, message }]
  })
  if (problems.length > 0) throw invalidFields(problems)
}
