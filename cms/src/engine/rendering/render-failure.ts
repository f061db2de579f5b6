import { html } from '../../base/html.ts'
import { messageOf } from '../../base/thrown.ts'
import type { PageData } from '../../model/declared/page-data-types.ts'
import type { Context } from '../context.ts'
import { failureText, logFailure, TemplateError } from './template-error.ts'

/** A page that failed, and how the site's page for failures is made. */
interface Failing {
  readonly data: PageData
  /** Whether it is shown to somebody who edits it. */
  readonly isMarked: boolean
  readonly render: (data: PageData) => Promise<string>
}

/**
 * The page for a failure of the service, status 500. The failure is logged, with template, file, line and document. It
 * is shown in development, and without internals to those who edit the page; others get the site's error page, which
 * `render` makes, or a plain one.
 */
export async function renderFailure(
  ctx: Context,
  error: unknown,
  { data, isMarked, render }: Failing,
): Promise<string> {
  logFailure(ctx, error)
  if (ctx.templates.isDevelopment) return developed(error)
  if (isMarked && error instanceof TemplateError) return explained(failureText(error), '')
  try {
    return await render(failed(data))
  } catch (second) {
    logFailure(ctx, second)
    return PLAIN
  }
}

/** The data of an error page, without the page that failed: it may be the cause. */
function failed({ data: _loaded, piece: _piece, pieces: _pieces, ...rest }: PageData): PageData {
  return { ...rest, page: null }
}

const PLAIN = html`<!doctype html>
<html lang="en">
<head><meta charset="utf-8"><title>Something went wrong</title></head>
<body><h1>Something went wrong</h1><p>Try again in a moment.</p></body>
</html>
`.text

function developed(error: unknown): string {
  const cause = error instanceof TemplateError ? error.cause : error
  return explained(messageOf(error), cause instanceof Error ? cause.stack : '')
}

function explained(message: string, stack = ''): string {
  return html`<!doctype html>
<html lang="en">
<head><meta charset="utf-8"><title>A template failed</title></head>
<body>
<h1>A template failed</h1>
<p>${message}</p>
<pre>${stack}</pre>
</body>
</html>
`.text
}
