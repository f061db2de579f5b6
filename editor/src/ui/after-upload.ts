/** Marks the buttons from which the focus goes on to what an uploaded file needs. */
export const UPLOADS = { 'data-uploads': '' } as const

/** Focuses a field that asks about a file, unless somebody went on to something else while it was uploaded. */
export function focusAfterUpload(field: HTMLElement | null): void {
  const now = document.activeElement
  if (now === null || now === document.body || now.hasAttribute('data-uploads')) field?.focus()
}
