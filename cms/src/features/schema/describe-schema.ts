import type { LocaleInfo, Schema } from 'quire-client'
import { type Actor, isAdmin, isContributor, may, roleOf, seesLocale, type Viewer } from '../../engine/permissions.ts'
import { viewOf } from '../../engine/view.ts'
import type { Site } from '../../model/declared/types.ts'
import { FieldDescriber } from './describe-fields.ts'
import { describeType, describeWidget } from './describe-types.ts'
import { reasonFor } from './reasons.ts'

/** Everything that callers of one audience may know of a site: the schema without the caller himself. */
export function describeSchema(viewer: Viewer): Omit<Schema, 'caller'> {
  const { site, actor } = viewer
  const describer = new FieldDescriber(viewer)
  const views = [...site.types.values()].flatMap((type) => viewOf(actor, type) ?? [])
  const types = views.map((view) => [view.type.name, describeType(viewer, view, describer)] as const)
  return {
    site: describeSite(viewer),
    types: Object.fromEntries(types),
    widgets: describeWidgets(site, describer),
    editor: describeEditor(site),
  }
}

function describeEditor({ editor }: Site): Schema['editor'] {
  return editor && { path: editor.path, title: editor.title, frontends: editor.frontends }
}

/** The caller of a schema; null for anonymous ones, who get none. */
export function describeCaller({ site, actor }: Viewer): Schema['caller'] | null {
  const role = roleOf(actor)
  if (role === null || (actor.kind !== 'user' && actor.kind !== 'key')) return null
  const { namespace } = site
  const may = { users: `${namespace}/user`, styles: `${namespace}/styles`, global: `${namespace}/global` }
  const reasons = Object.entries(may).flatMap(([what, name]) => {
    const reason = reasonFor(actor, (one) => mayEdit(one, site, name))
    return reason === null ? [] : [[what, reason] as const]
  })
  const agents = reasonFor(actor, (one) => site.mcp !== null && isAdmin(one))
  const denied = { ...Object.fromEntries(reasons), ...(agents && { agents }) }
  return { _id: actor.id, title: actor.name, role, denied }
}

function mayEdit(actor: Actor, { types }: Site, name: string): boolean {
  const type = types.get(name)
  return type !== undefined && may(actor, type.localized ? 'editDraft' : 'editPublished', type)
}

/** The widgets that areas allow, those in the areas of widgets included: the set grows while it is read. */
function describeWidgets({ widgets }: Site, describer: FieldDescriber): Schema['widgets'] {
  const described: Record<string, Schema['widgets'][string]> = {}
  for (const name of describer.widgets) {
    const widget = widgets.get(name)
    if (widget) described[name] = describeWidget(widget, describer)
  }
  return described
}

function describeSite(viewer: Viewer): Schema['site'] {
  const { name, namespace, prefix, baseUrl, defaultLocale, fileGroups, limits } = viewer.site
  const { uploadBytes, perPage, bodyBytes } = limits
  return {
    name,
    namespace,
    prefix,
    baseUrl,
    locales: describeLocales(viewer),
    defaultLocale,
    fileGroups: fileGroups.map((group) => ({ ...group, isImage: group.name === 'images' })),
    limits: { uploadBytes, perPage, bodyBytes },
  }
}

function describeLocales(viewer: Viewer): Schema['site']['locales'] {
  const denied = reasonFor(viewer.actor, isContributor)
  const seen = [...viewer.site.locales.values()].filter(({ name }) => seesLocale(viewer, name))
  const described = seen.map(({ name, label, prefix, hostname, private: isPrivate, direction }) => {
    const locale: LocaleInfo = {
      label,
      ...(prefix !== '' && { prefix: decodeURI(prefix) }),
      ...(hostname !== null && { hostname }),
      ...(isPrivate && { private: true }),
      direction,
      ...(denied && { denied }),
    }
    return [name, locale] as const
  })
  return Object.fromEntries(described)
}
