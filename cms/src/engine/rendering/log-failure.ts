import type { Context } from '../context.ts'
import { TemplateError } from './template-error.ts'

/** Logs what failed while something was rendered: with template, file, line and document where a template did. */
export function logFailure(ctx: Context, error: unknown): void {
  if (error instanceof TemplateError) {
    const { template, place, document } = error
    ctx.log.error({ error: error.cause, template, place, document }, 'A template failed.')
  } else ctx.log.error({ error }, 'A page could not be rendered.')
}
