import { join } from 'node:path'
import { archiveSource } from '../src/cli/content/archive-source.ts'
import { type ImportOptions, importContent } from '../src/cli/content/import-content.ts'
import { ImportReport } from '../src/cli/content/import-report.ts'
import type { Context } from '../src/engine/context.ts'

/** Imports an exported file, with its report in this folder: what was counted, and what did not fit. */
export async function importFile(ctx: Context, file: string, folder: string, given: Partial<ImportOptions> = {}) {
  const report = new ImportReport(join(folder, 'report.jsonl'))
  const counts = await importContent(ctx, archiveSource({ path: file, name: file }), {
    update: false,
    dryRun: false,
    types: null,
    locales: null,
    renamed: (name) => name,
    report,
    onDocument: () => {},
    onFile: () => {},
    ...given,
  })
  await report.close()
  return { ...counts, issues: report.counts() }
}
