const REGION = `{% block beforeMain %}{% endblock %}
<main id="main">{{ slot('prependMain') }}{% block main %}{% endblock %}{{ slot('appendMain') }}</main>
{% block afterMain %}{% endblock %}`

const DOCUMENT = `{{ outerIs('document') }}<!doctype html>
<html lang="{{ scene.locale }}" dir="{{ scene.direction }}">
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
 * What `data.outerLayout` stands for: the whole document, or with `aposRefresh=1` its refreshable part. And what puts
 * content that has no blocks into the site's layout.
 */
export const outerLayouts: ReadonlyMap<string, string> = new Map([
  ['quire/document.njk', DOCUMENT],
  ['quire/region.njk', `{{ outerIs('region') }}${REGION}`],
  ['quire/content.njk', '{% extends data.layout %}{% block main %}{{ data.content | safe }}{% endblock %}'],
])
