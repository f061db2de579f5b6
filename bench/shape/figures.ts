import { basename, dirname } from 'node:path'
import type { Import, SourceFile } from './source-files.ts'

/** A figure of the sources, and what it should be. */
export interface Figure {
  readonly name: string
  readonly now: number
  /** The most that it may be; null where there is no target. */
  readonly most: number | null
  /** The items that the figure counts, or the first of them. */
  readonly listed: readonly string[]
}

const LONG_FILE = 300
const FULL_FOLDER = 30
const MANY_PARAMETERS = 4
const SLIVER_LINES = 60
const LISTED = 20
/** Names that every feature and every package has. */
const COMMON_NAMES = ['feature.ts', 'index.ts']

/** Modules that may be imported late. */
export interface LateModules {
  readonly doors: readonly string[]
  /** The file that loads subcommands, which count as one module. */
  readonly commands: string
}

/** The figures that are read from the sources alone. */
export function sourceFigures(files: readonly SourceFile[], late: LateModules): Figure[] {
  const sources = new Map(files.map((file) => [file.path, file]))
  return [
    ...sizeFigures(files),
    ...functionFigures(files),
    ...typeFigures(files),
    counted('folders of more than 30 files', 0, fullFolders(files)),
    counted('file names that stand more than once', 0, repeatedNames(files)),
    ...lateFigures(files, sources, late),
    chainFigure(sources),
    counted('slivers: under 60 lines, imported once, in its folder', null, slivers(files)),
  ]
}

function sizeFigures(files: readonly SourceFile[]): Figure[] {
  const byLength = files.toSorted((one, other) => other.lines - one.lines)
  const lengths = byLength.map(({ lines }) => lines)
  const longest = byLength.map(({ path, lines }) => `${lines} ${path}`)
  const tooLong = lengths.filter((lines) => lines > LONG_FILE).length
  return [
    { name: 'lines', now: sum(lengths), most: 63_000, listed: [] },
    { name: 'files', now: files.length, most: 600, listed: [] },
    { name: 'lines of a file, median', now: quantile(lengths, 0.5), most: null, listed: [] },
    { name: 'lines of a file, p90', now: quantile(lengths, 0.9), most: 170, listed: [] },
    { name: 'lines of the longest file', now: lengths[0] ?? 0, most: LONG_FILE, listed: longest.slice(0, tooLong) },
  ]
}

function functionFigures(files: readonly SourceFile[]): Figure[] {
  const functions = files.flatMap((file) => file.functions.map((one) => ({ ...one, at: `${file.path}:${one.line}` })))
  const many = functions
    .filter(({ parameters }) => parameters >= MANY_PARAMETERS)
    .toSorted((one, other) => other.parameters - one.parameters)
  const byLength = functions.toSorted((one, other) => other.lines - one.lines)
  const longest = byLength.slice(0, LISTED).map(({ lines, name, at }) => `${lines} ${name} ${at}`)
  const lengths = byLength.map(({ lines }) => lines)
  return [
    {
      name: 'functions of four and more parameters, %',
      now: rounded((100 * many.length) / functions.length),
      most: 3,
      listed: many.map(({ parameters, name, at }) => `${parameters} ${name} ${at}`),
    },
    { name: 'lines of a function, median', now: quantile(lengths, 0.5), most: null, listed: [] },
    { name: 'lines of the longest function', now: lengths[0] ?? 0, most: null, listed: longest },
  ]
}

function typeFigures(files: readonly SourceFile[]): Figure[] {
  const exporting = files.filter(({ exportedTypes }) => exportedTypes.length > 0)
  const count = sum(exporting.map(({ exportedTypes }) => exportedTypes.length))
  const most = exporting.toSorted((one, other) => other.exportedTypes.length - one.exportedTypes.length)
  return [
    {
      name: 'exported types per 1,000 lines',
      now: rounded((1000 * count) / sum(files.map(({ lines }) => lines))),
      most: 10,
      listed: most.slice(0, LISTED).map(({ path, exportedTypes }) => `${exportedTypes.length} ${path}`),
    },
  ]
}

function lateFigures(
  files: readonly SourceFile[],
  sources: ReadonlyMap<string, SourceFile>,
  { doors, commands }: LateModules,
): Figure[] {
  const late = files.flatMap(({ path, imports }) =>
    imports
      .filter(({ isLate }) => isLate)
      .map((one) => ({ ...one, from: path, at: `${path}:${one.line} → ${one.to}` })),
  )
  const ours = late.filter(({ to }) => sources.has(to))
  const modules = Map.groupBy(ours, ({ from, to }) => (from === commands ? commands : to))
  const importers = [...modules].map(([module, places]) => `${places.length} ${module}`)
  const unlisted = ours.filter(({ from, to }) => from !== commands && !doors.includes(to))
  const packages = late.filter(({ to }) => !sources.has(to))
  const placesOf = (imports: readonly { readonly at: string }[]) => imports.map(({ at }) => at)
  return [
    counted('modules that are imported late', 15, importers.toSorted()),
    counted('late imports of what is no door', 0, placesOf(unlisted)),
    counted('places of late imports of packages', null, placesOf(packages)),
  ]
}

function chainFigure(sources: ReadonlyMap<string, SourceFile>): Figure {
  const chain = longestChain(sources)
  return { name: 'longest chain of imports', now: chain.length, most: 16, listed: chain }
}

/** The longest way from file to file along imports, those of types and late ones included. */
export function longestChain(sources: ReadonlyMap<string, SourceFile>): readonly string[] {
  const chains = new Map<string, readonly string[]>()
  const chainFrom = (file: SourceFile): readonly string[] => {
    const known = chains.get(file.path)
    if (known !== undefined) return known
    // So that a circle ends; that there are none is tested elsewhere.
    chains.set(file.path, [])
    const next = importedFiles(file, sources).map(chainFrom)
    const chain = [file.path, ...longestOf(next)]
    chains.set(file.path, chain)
    return chain
  }
  return longestOf([...sources.values()].map(chainFrom))
}

function longestOf(chains: readonly (readonly string[])[]): readonly string[] {
  return chains.reduce((longest, chain) => (chain.length > longest.length ? chain : longest), [])
}

function importedFiles({ imports }: SourceFile, sources: ReadonlyMap<string, SourceFile>): SourceFile[] {
  return imports.flatMap(({ to }: Import) => sources.get(to) ?? [])
}

/** Short files that one file alone imports, in the same folder. */
export function slivers(files: readonly SourceFile[]): string[] {
  const importers = new Map<string, Set<string>>()
  for (const { path, imports } of files)
    for (const { to } of imports) importers.set(to, (importers.get(to) ?? new Set()).add(path))
  return files.flatMap(({ path, lines }) => {
    const [importer, ...others] = importers.get(path) ?? []
    const isSliver = lines < SLIVER_LINES && importer !== undefined && others.length === 0
    return isSliver && dirname(importer) === dirname(path) ? [`${lines} ${path} ← ${basename(importer)}`] : []
  })
}

function fullFolders(files: readonly SourceFile[]): string[] {
  const folders = Map.groupBy(files, ({ path }) => dirname(path))
  return [...folders]
    .filter(([, inside]) => inside.length > FULL_FOLDER)
    .map(([folder, inside]) => `${inside.length} ${folder}`)
}

function repeatedNames(files: readonly SourceFile[]): string[] {
  const names = Map.groupBy(files, ({ path }) => basename(path))
  return [...names]
    .filter(([name, same]) => same.length > 1 && !COMMON_NAMES.includes(name))
    .map(([name, same]) => `${name}: ${same.map(({ path }) => dirname(path)).join(', ')}`)
}

/** A figure that is the number of what is listed. */
export function counted(name: string, most: number | null, listed: readonly string[]): Figure {
  return { name, now: listed.length, most, listed }
}

function sum(numbers: readonly number[]): number {
  return numbers.reduce((total, number) => total + number, 0)
}

function quantile(numbers: readonly number[], share: number): number {
  return numbers.toSorted((one, other) => one - other)[Math.floor(numbers.length * share)] ?? 0
}

function rounded(number: number): number {
  return Math.round(number * 10) / 10
}
