import { counted } from '../base/text.ts'
import type { Context } from '../engine/context.ts'
import { apostropheSource } from './apostrophe/apostrophe-source.ts'
import { withArchive } from './archive/archive-input.ts'
import { readManifest } from './archive/manifest.ts'
import { command, selectedNames } from './command/command.ts'
import { UsageError } from './command/failure.ts'
import { optionsOfExisting, withOptionsOfTrial } from './command/lost-database.ts'
import { withApp } from './command/operator.ts'
import { progress } from './command/progress.ts'
import { siteOption } from './command/site-module.ts'
import { archiveSource } from './content/archive-source.ts'
import { type ContentSource, type ImportCounts, type ImportOptions, importContent } from './content/import-content.ts'
import { ImportReport } from './content/import-report.ts'

const options = {
  type: {
    type: 'string',
    description: 'Only documents of these types of this site, with commas between; users only where they are named',
  },
  locale: { type: 'string', description: 'Only these locales, with commas between' },
  map: { type: 'string', description: 'Other names of types and widgets: old-name=name, with commas between' },
  update: { type: 'boolean', description: 'Change documents that are there to what the import holds' },
  'dry-run': { type: 'boolean', description: 'Report what would not fit, and change nothing' },
  report: { type: 'string', description: 'The file for what did not fit (default import-report.jsonl)' },
} as const

/** `quire import FILE`: the content of an export, or of another system (§10.4). */
export const importCommand = command({
  meta: { name: 'import', description: 'Import the content and files of an export; goes on where it was stopped' },
  args: {
    file: { type: 'positional', required: true, description: 'The export; - for standard input' },
    from: {
      type: 'enum',
      options: ['apostrophe'],
      description: 'Another system: then FILE is a folder with what mongoexport wrote, and with the uploads',
    },
    ...options,
    ...siteOption,
  },
  async run({ args }) {
    if (args.from === 'apostrophe') return importApostrophe(args)
    await withArchive(args.file, async (archive) => {
      const { namespace } = await readManifest(archive, 'export')
      await runImport(args, async () => archiveSource(archive), String(namespace ?? ''))
    })
  },
})

async function importApostrophe(args: ImportArguments & { readonly file: string }): Promise<void> {
  const source: SourceFor = (ctx, options) => apostropheSource(ctx, { ...options, folder: args.file })
  await runImport(args, source, '@apostrophecms')
}

/** Opens what is imported. */
type SourceFor = (ctx: Context, options: Pick<ImportOptions, 'report' | 'renamed' | 'types'>) => Promise<ContentSource>

interface ImportArguments {
  readonly type?: string | undefined
  readonly locale?: string | undefined
  readonly map?: string | undefined
  readonly update?: boolean | undefined
  readonly 'dry-run'?: boolean | undefined
  readonly report?: string | undefined
  readonly site?: string | undefined
}

async function runImport(args: ImportArguments, sourceFor: SourceFor, namespace: string): Promise<void> {
  const reportFile = args.report ?? 'import-report.jsonl'
  const report = new ImportReport(reportFile)
  const dryRun = args['dry-run'] === true
  await report.begin()
  const work = async (ctx: Context) => {
    const options: ImportOptions = {
      update: args.update === true,
      dryRun,
      types: selectedNames('--type', args.type, ctx.site.types),
      locales: selectedNames('--locale', args.locale, ctx.site.locales),
      renamed: renaming(args.map, namespace, ctx.site.namespace),
      report,
      onDocument: progress('Documents'),
      onFile: progress('Files'),
    }
    return importContent(ctx, await sourceFor(ctx, options), options)
  }
  try {
    const run = (optionsFrom: typeof optionsOfExisting) => withApp(args.site, work, optionsFrom)
    const counts = await (dryRun ? withOptionsOfTrial(run) : run(optionsOfExisting))
    printSummary(counts, dryRun)
    if (counts.documents.refused + counts.files.refused > 0) process.exitCode = 1
  } finally {
    await report.close()
    printIssues(report, reportFile)
  }
}

/** The names that types have here: as given, else with the namespace of this site. */
function renaming(map: string | undefined, from: string, to: string): (name: string) => string {
  const names = new Map((map ?? '').split(',').filter(Boolean).map(pairOf))
  return (name) => names.get(name) ?? (from !== '' && name.startsWith(`${from}/`) ? to + name.slice(from.length) : name)
}

function pairOf(text: string): readonly [string, string] {
  const [from = '', to = '', ...rest] = text.trim().split('=')
  if (from !== '' && to !== '' && rest.length === 0) return [from, to]
  throw new UsageError(`--map: “${text}” is not two names with = between.`)
}

function printSummary({ documents, files }: ImportCounts, dryRun: boolean): void {
  const { added, changed, unchanged, refused } = documents
  const done = dryRun
    ? `Would import ${counted(added, 'document')}, and change ${changed}`
    : `Imported ${counted(added, 'document')}, and changed ${changed}`
  console.log(`${done}; ${unchanged} were there already, ${refused} did not fit.`)
  if (dryRun) return
  console.log(
    `Imported ${counted(files.added, 'file')}; ${files.unchanged} were there already, ${files.refused} did not fit.`,
  )
}

const SHOWN = 20

function printIssues(report: ImportReport, file: string): void {
  const counts = report.counts()
  for (const { what, type, field, count, example } of counts.slice(0, SHOWN)) {
    const where = field === '' ? type : `${type}.${field}`
    console.error(`${count} × ${what}: ${where}; as in ${example.id}: ${example.message}`)
  }
  if (counts.length > SHOWN) console.error(`… and ${counts.length - SHOWN} other kinds.`)
  if (counts.length > 0) console.error(`All of them are in ${file}, one per line.`)
}
