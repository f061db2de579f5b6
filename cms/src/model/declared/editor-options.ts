import { z } from 'zod'

/** The editor of a site (§11), as declared. */
export interface DeclaredEditor {
  /** Where it is, below the site's prefix: `/admin` when left out. */
  readonly path?: `/${string}`
  /** The title of the editor in the browser; the name of the site when left out. */
  readonly title?: string
  /**
   * The rights of scripts on draft pages: none of the rights of the person who looks at them (`sandboxed`, when left out), or
   * those that they have on public pages (`trusted`).
   */
  readonly preview?: 'sandboxed' | 'trusted'
  /** Where people open the editor, `https://edit.example.org`: only this may frame drafts that front ends show. */
  readonly origin?: `http${string}`
  /** Where external front ends show the site, `https://www.example.org`: the editor opens drafts there, and nowhere else. */
  readonly frontends?: readonly `http${string}`[]
}

/** The editor of a site, as compiled. */
export interface SiteEditor {
  /** Below the site's prefix: `/admin`. */
  readonly path: string
  readonly title: string
  readonly preview: 'sandboxed' | 'trusted'
  /** Where people open it; null where the site does not say. */
  readonly origin: string | null
  /** The origins of external front ends that show its drafts. */
  readonly frontends: readonly string[]
  /** The hosts that pictures in rich text may come from. */
  readonly imageHosts: readonly string[]
}

/** Just scheme, host and port: what a browser calls the origin of a page. */
const origin = z
  .string()
  .refine(
    (value) => /^https?:/.test(value) && URL.canParse(value) && new URL(value).origin === value,
    'must be where it is and nothing more, in lower case and without a slash at its end: "https://www.example.org"',
  )

/** The options of the editor, read strictly. */
export const EDITOR = z.strictObject({
  path: z
    .string()
    .regex(
      /^(?:\/[a-z0-9][a-z0-9-]*)+$/,
      'must be a path of lower-case letters, digits and "-", such as "/admin", without a slash at its end',
    )
    .default('/admin'),
  title: z.string().min(1).optional(),
  preview: z.enum(['sandboxed', 'trusted']).default('sandboxed'),
  origin: origin.optional(),
  frontends: z.array(origin).max(20).default([]),
})
