import { readdirSync, readFileSync } from 'node:fs'
import { dirname, join, relative, resolve } from 'node:path'
import { type ESTree, parseSync, Visitor } from 'rolldown/utils'

/** A source file, as far as its shape goes. Paths are relative to the folder that was read. */
export interface SourceFile {
  readonly path: string
  readonly lines: number
  readonly imports: readonly Import[]
  readonly functions: readonly SourceFunction[]
  /** Names of exported interfaces and type aliases. */
  readonly exportedTypes: readonly string[]
}

export interface Import {
  /** The path of a file, or the name of a package. */
  readonly to: string
  /** Whether it is an `import(…)`. */
  readonly isLate: boolean
  readonly line: number
}

/** A function with a name of its own: declared, a method, or the value of a variable or a property. */
export interface SourceFunction {
  readonly name: string
  readonly line: number
  readonly lines: number
  readonly parameters: number
}

type AnyFunction = ESTree.Function | ESTree.ArrowFunctionExpression

/** Reads the TypeScript files below a folder, without tests and what only tests use. */
export function readSourceFiles(folder: string): SourceFile[] {
  return readdirSync(folder, { recursive: true, encoding: 'utf8' })
    .filter((path) => path.endsWith('.ts') && !path.endsWith('.test.ts') && !/(^|\/)test-[^/]*$/.test(path))
    .toSorted()
    .map((path) => parseSource(folder, path))
}

function parseSource(folder: string, path: string): SourceFile {
  const text = readFileSync(join(folder, path), 'utf8')
  const { program, errors } = parseSync(path, text)
  if (errors[0] !== undefined) throw new Error(`${path}: ${errors[0].message}`)
  const lineAt = lineFinder(text)
  const imports: Import[] = []
  const addImport = (source: ESTree.Expression | null, isLate = false) => {
    if (source?.type !== 'Literal' || typeof source.value !== 'string') return
    const name = source.value
    const to = name.startsWith('.') ? relative(folder, resolve(folder, dirname(path), name)) : name
    imports.push({ to, isLate, line: lineAt(source.start) })
  }
  const functions: SourceFunction[] = []
  const addFunction = (name: string, { start, end, params }: AnyFunction) => {
    const line = lineAt(start)
    const parameters = params.filter((parameter) => !(parameter.type === 'Identifier' && parameter.name === 'this'))
    functions.push({ name, line, lines: lineAt(end) - line + 1, parameters: parameters.length })
  }
  const addNamed = (key: ESTree.Node, value: ESTree.Node | null) => {
    if (isFunction(value)) addFunction(text.slice(key.start, key.end), value)
  }
  const exportedTypes: string[] = []
  new Visitor({
    ImportDeclaration: ({ source }) => addImport(source),
    ExportAllDeclaration: ({ source }) => addImport(source),
    ExportNamedDeclaration: ({ source, declaration }) => {
      addImport(source)
      if (declaration?.type === 'TSInterfaceDeclaration' || declaration?.type === 'TSTypeAliasDeclaration')
        exportedTypes.push(declaration.id.name)
    },
    TSImportType: ({ source }) => addImport(source),
    ImportExpression: ({ source }) => addImport(source, true),
    FunctionDeclaration: (declared) => addFunction(declared.id?.name ?? 'default', declared),
    VariableDeclarator: ({ id, init }) => addNamed(id, init),
    Property: ({ key, value }) => addNamed(key, value),
    MethodDefinition: ({ key, value }) => addNamed(key, value),
    PropertyDefinition: ({ key, value }) => addNamed(key, value),
    AssignmentExpression: ({ left, right }) => addNamed(left, right),
  }).visit(program)
  return { path, lines: lineAt(text.length) - (text.endsWith('\n') ? 1 : 0), imports, functions, exportedTypes }
}

function isFunction(node: ESTree.Node | null): node is AnyFunction {
  return node?.type === 'ArrowFunctionExpression' || (node?.type === 'FunctionExpression' && node.body !== null)
}

/** Answers the number of the line that an offset is in, from 1. */
function lineFinder(text: string): (offset: number) => number {
  const ends = [...text.matchAll(/\n/g)].map(({ index }) => index)
  return (offset) => {
    const line = ends.findIndex((end) => end >= offset)
    return (line < 0 ? ends.length : line) + 1
  }
}
