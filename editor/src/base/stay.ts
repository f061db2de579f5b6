/** Keeps a link of the content that was clicked from leading away from the editor. */
export function stay(event: MouseEvent): void {
  if (event.target instanceof Element && event.target.closest('[href]') !== null) event.preventDefault()
}
