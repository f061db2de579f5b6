import { readdirSync, readFileSync } from 'node:fs'
import { dirname, relative, resolve } from 'node:path'

const SOURCE = resolve(import.meta.dirname, '../src')

/** The sources of the editor, by their paths below `src`; tests are none. */
export const sources: readonly string[] = readdirSync(SOURCE, { recursive: true, encoding: 'utf8' }).filter(
  (file) => /\.tsx?$/.test(file) && !/\.(test|d)\.tsx?$/.test(file),
)

/** The text of a source, without its comments. */
export function codeOf(file: string): string {
  return readFileSync(resolve(SOURCE, file), 'utf8').replaceAll(/\/\*[\s\S]*?\*\/|(?<!:)\/\/.*$/gm, '')
}

/** One import, late ones and those of types included. */
export interface Import {
  readonly from: string
  /** The path of a source, or a package. */
  readonly to: string
  readonly isOfTypes: boolean
  readonly line: string
}

/** What a source imports. */
export function importsOf(file: string): Import[] {
  const plain = /\b(?:import|export)\s+(type\s+)?(?:[\w*{}\s,]*?\bfrom\s*)?'([^']+)'/g
  const late = /\bimport\(()'([^']+)'\)/g
  return [plain, late].flatMap((pattern) =>
    [...codeOf(file).matchAll(pattern)].map(([line, type, target = '']) => ({
      from: file,
      to: target.startsWith('.') ? relative(SOURCE, resolve(SOURCE, dirname(file), target)) : target,
      isOfTypes: type !== undefined && type !== '',
      line: `${file}: ${line.replaceAll(/\s+/g, ' ')}`,
    })),
  )
}
