/** A title made of the name of a file: `old_town-harbour.jpg` → `Old town harbour`. */
export function fileTitle(name: string): string {
  const words = name
    .replace(/\.[^.]*$/, '')
    .replaceAll(/[-_\s]+/g, ' ')
    .trim()
  return words === '' ? name : words.charAt(0).toUpperCase() + words.slice(1)
}
