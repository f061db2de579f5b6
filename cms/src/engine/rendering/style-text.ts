/** CSS as the text of a style element, which nothing in it can end. */
export function styleText(css: string): string {
  return css.replaceAll('</', '<\\/')
}
