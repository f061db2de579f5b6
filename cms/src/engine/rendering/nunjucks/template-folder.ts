import { readFileSync, realpathSync } from 'node:fs'
import { join, sep } from 'node:path'
import type { ILoader, LoaderSource } from 'nunjucks'
import { isTemplateFile } from '../../../model/declared/template.ts'

/** The files of a folder as Nunjucks reads them: by names below it, whatever links lead elsewhere. */
export class TemplateFolder implements ILoader {
  readonly #folder: string
  readonly #noCache: boolean

  constructor(folder: string, { isCached }: { readonly isCached: boolean }) {
    this.#folder = folder
    this.#noCache = !isCached
  }

  /** True when there is a file of that name. */
  has(name: string): boolean {
    return this.#pathOf(name) !== null
  }

  /** A file's text; null when there is none of that name. Called by Nunjucks. */
  getSource(name: string): LoaderSource {
    const own = outerLayouts.get(name)
    if (own !== undefined) return { src: own, path: name, noCache: false }
    const path = this.#pathOf(name)
    // `as`: the declared type leaves out that null stands for no such file.
    if (path === null) return null as unknown as LoaderSource
    return { src: readFileSync(path, 'utf8'), path: name, noCache: this.#noCache }
  }

  #pathOf(name: string): string | null {
    if (!isTemplateFile(name)) return null
    try {
      const path = realpathSync(join(this.#folder, name))
      return path.startsWith(realpathSync(this.#folder) + sep) ? path : null
    } catch {
      return null
    }
  }
}

const REGION = `{% block beforeMain %}{% endblock %}
<main id="main"{{ lang(data.piece or data.page) }}>{{ slot('prependMain') }}{% block main %}{% endblock %}{{ slot('appendMain') }}</main>
{% block afterMain %}{% endblock %}`

const DOCUMENT = `{{ outerIs('document') }}<!doctype html>
<html lang="{{ scene.locale | replace('_', '-') }}" dir="{{ scene.direction }}">
<head>{{ slot('prependHead') }}
<meta charset="utf-8">
<meta name="viewport" content="width=device-width">
<title>{% block title %}{{ (data.piece or data.page).title or scene.ctx.site.name }}{% endblock %}</title>
{% block extraHead %}{% endblock %}
{{ slot('appendHead') }}</head>
<body class="{% block bodyClass %}{% endblock %} {{ data.aposBodyClasses }}">{{ slot('prependBody') }}
{% block startBody %}{% endblock %}
<div data-quire-refreshable>
${REGION}
</div>
{% block extraBody %}{% endblock %}
{{ slot('appendBody') }}</body>
</html>
`

/**
 * The files that `data.outerLayout` stands for: the whole document, or with `aposRefresh=1` its refreshable part; and
 * the one that puts content that has no blocks into the site's layout.
 */
const outerLayouts: ReadonlyMap<string, string> = new Map([
  ['quire/document.njk', DOCUMENT],
  ['quire/region.njk', `{{ outerIs('region') }}${REGION}`],
  ['quire/content.njk', '{% extends data.layout %}{% block main %}{{ data.content | safe }}{% endblock %}'],
])
