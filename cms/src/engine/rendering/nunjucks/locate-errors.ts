import type { Environment, Template } from 'nunjucks'
import { FileError } from '../template-error.ts'

/** The runtime of Nunjucks, which compiled code calls when it fails. */
interface Runtime {
  handleError(error: Error, line?: number, column?: number): Error
}

type Rendering = (env: unknown, context: unknown, frame: unknown, runtime: Runtime, done: unknown) => unknown

/** A template as Nunjucks has compiled it. */
interface Compiled {
  compile(): void
  readonly path: string
  rootRenderFunc: Rendering
  blocks: { [name: string]: Rendering }
}

type Loaded = (error: unknown, template?: Template) => void

/**
 * Nunjucks says of all that fails that it was in the file that was asked for, whichever file of its layout or of its
 * includes it was in, and counts lines from 0. This calls `failed` with the file and line where it happened.
 */
export function locateErrors(environment: Environment, failed: (error: FileError) => void): void {
  const wrapped = new WeakSet<object>()
  const wrap = (found: unknown): unknown => {
    // `as`: the library's types leave out what a template is made of.
    const template = found as Compiled | null | undefined
    if (!template || typeof template.path !== 'string' || wrapped.has(template)) return found
    wrapped.add(template)
    template.compile()
    const located = (render: Rendering): Rendering => {
      return (env, context, frame, runtime, done) =>
        render(env, context, frame, withFile(runtime, template.path, failed), done)
    }
    template.rootRenderFunc = located(template.rootRenderFunc)
    for (const [name, render] of Object.entries(template.blocks)) template.blocks[name] = located(render)
    return found
  }
  const find = environment.getTemplate.bind(environment) as (...parameters: unknown[]) => unknown
  const locating = (...parameters: unknown[]): unknown => {
    const located = parameters.map((one) =>
      typeof one === 'function'
        ? (error: unknown, found?: unknown) => (one as Loaded)(error, wrap(found) as Template)
        : one,
    )
    return wrap(find(...located))
  }
  environment.getTemplate = locating as Environment['getTemplate']
}

function withFile(runtime: Runtime, file: string, failed: (error: FileError) => void): Runtime {
  return {
    ...runtime,
    handleError(error, line, column) {
      if (error instanceof FileError) return error
      const located = new FileError(file, line === undefined ? null : line + 1, error)
      failed(located)
      return runtime.handleError(located, line, column)
    },
  }
}
