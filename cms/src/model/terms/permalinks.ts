/** The beginning of an internal link; the aposDocId follows (§2.13). */
export const PERMALINK = '#apostrophe-permalink-'
/** An internal link in a tag. */
export const LINK = /\shref="#apostrophe-permalink-([a-z0-9]+)(?:\?([^"]*))?"/
/** An image of the site in a tag. */
export const IMAGE = /\ssrc="[^"]*\/api\/v1\/@[a-z][a-z0-9-]*\/image\/([a-z0-9]+)(?::[^"/]*)?\/src"/

/** The aposDocId of the document that an internal link leads to. */
export function linkedDocument(href: string): string | undefined {
  return LINK.exec(` href="${href}"`)?.[1]
}

/** The aposDocId of the image of the site that an address shows. */
export function shownImage(src: string): string | undefined {
  return IMAGE.exec(` src="${src}"`)?.[1]
}
